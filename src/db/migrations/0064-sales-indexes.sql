-- outside a transaction
-- Finds the customers who bought in a period and also before it.
create index concurrently if not exists customer_by_activity on customer (store_id, last_order_at, first_order_at)
  where last_order_at is not null;
