-- outside a transaction
-- Orders in the order in which they were completed: automatic reviews walk along it.
create index concurrently if not exists order_by_completion on "order" (store_id, completed_at, id)
  where status = 'completed';
