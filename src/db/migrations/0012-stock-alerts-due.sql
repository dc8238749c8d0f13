-- Products whose stock alerts a job must check, because the product is in stock again or was deleted. A product may
-- have several rows, so concurrent changes of it do not wait for each other. `due_at` is machine time.
create table stock_alert_due (
  store_id   bigint         not null references store,
  id         bigint         generated always as identity check (id < 9007199254740992),
  product_id bigint         not null,
  due_at     timestamptz(3) not null,
  primary key (store_id, id)
);
create index stock_alert_due_first on stock_alert_due (due_at, id);
create index stock_alert_due_of_product on stock_alert_due (store_id, product_id, due_at, id);
