-- outside a transaction
-- Completed orders in the sequence of their completion, for automatic reviews.
create index concurrently if not exists order_by_completion on "order" (store_id, completed_at, id)
  where status = 'completed';
