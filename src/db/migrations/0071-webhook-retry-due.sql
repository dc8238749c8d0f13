-- outside a transaction
-- The next retry that is due, in one step.
create index concurrently if not exists webhook_retry_due on webhook_retry (due_at) where due_at < 'infinity';
