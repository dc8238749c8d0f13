-- outside a transaction
-- Indexes for lists of customers: one for each sort, and for filters that few customers match.
create index concurrently if not exists customer_by_creation on customer (store_id, created_at desc, id desc);
create index concurrently if not exists customer_by_spending on customer (store_id, total_spent_cents, id);
create index concurrently if not exists customer_by_orders on customer (store_id, orders_count, id);
create index concurrently if not exists customer_by_last_order on customer (store_id, last_order_at desc nulls last, id desc);
create index concurrently if not exists customer_by_balance on customer (store_id, balance_cents, id);
create index concurrently if not exists customer_of_country on customer (store_id, country, created_at desc, id desc) where country is not null;
create index concurrently if not exists customer_blocked on customer (store_id, created_at desc, id desc) where blocked_at is not null;
create index concurrently if not exists customer_tagged on customer using gin (tag_keys(store_id, tags)) where tags <> '{}';
create index concurrently if not exists balance_entry_of_order on balance_entry (store_id, order_id) where order_id is not null;
