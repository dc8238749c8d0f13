-- outside a transaction
-- Retries that are leased or were never attempted. After the clock was set back, their due times may be too far ahead,
-- and this index finds them.
create index concurrently if not exists webhook_retry_due_soon on webhook_retry (due_at) where lease_token <> 0 or step = 0;
