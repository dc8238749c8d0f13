-- Products whose sign-ups are to be looked at: what they wait for is back, or gone. Several rows of one
-- product are as good as one, so who changes a product waits for nobody. Due by the machine's time.
create table stock_alert_due (
  store_id   bigint         not null references store,
  id         bigint         generated always as identity check (id < 9007199254740992),
  product_id bigint         not null,
  due_at     timestamptz(3) not null,
  primary key (store_id, id)
);
create index stock_alert_due_first on stock_alert_due (due_at, id);
create index stock_alert_due_of_product on stock_alert_due (store_id, product_id, due_at, id);
