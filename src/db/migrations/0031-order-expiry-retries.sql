-- Orders that could not be expired, and the machine time of the next attempt. A separate table, because the row of the
-- order may be the cause of the failure.
create table order_expiry_retry (
  store_id bigint         not null references store,
  order_id text           collate "C" not null,
  failures integer        not null check (failures > 0),
  retry_at timestamptz(3) not null,
  primary key (store_id, order_id)
);
create index on order_expiry_retry (retry_at);
