-- Units that paid orders wait for, because stock was too low when they were paid. They are not for sale: stock that is
-- added belongs to the orders that wait for it. `stock.owed` is the sum of `order_item.owed`.
alter table order_item add column owed integer not null default 0 check (owed between 0 and quantity);
alter table stock add column owed bigint not null default 0 check (owed >= 0);

-- The units that can be sold now, if stock of the variant is counted.
alter table stock add column available bigint not null
  generated always as (greatest(on_hand - reserved - owed, 0)) stored;
