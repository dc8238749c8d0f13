-- outside a transaction
-- Retries that are leased or were never attempted, so that those due ahead of a clock that was put back are found among all others.
create index concurrently if not exists webhook_retry_due_soon on webhook_retry (due_at) where lease_token <> 0 or step = 0;
