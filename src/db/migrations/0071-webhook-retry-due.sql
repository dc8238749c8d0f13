-- outside a transaction
-- Finds the next due retry of all endpoints.
create index concurrently if not exists webhook_retry_due on webhook_retry (due_at) where due_at < 'infinity';
