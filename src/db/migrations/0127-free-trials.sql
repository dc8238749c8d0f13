-- The first period of a customer who has used the free trial of a product is empty: its renewal is due at once.
alter table subscription
  drop constraint subscription_check1,
  add constraint subscription_period check (current_period_end >= current_period_start);
