-- The units of an order line that were refunded before they were delivered. They are not delivered any more.
alter table order_item add column cancelled integer not null default 0 check (cancelled between 0 and quantity);
