-- Orders that could not be expired, and when each is tried again, by the machine's time. A table of its own:
-- the reason may be the order's row.
create table order_expiry_retry (
  store_id bigint         not null references store,
  order_id text           collate "C" not null,
  failures integer        not null check (failures > 0),
  retry_at timestamptz(3) not null,
  primary key (store_id, order_id)
);
create index on order_expiry_retry (retry_at);
