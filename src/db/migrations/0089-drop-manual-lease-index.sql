-- The claim of retries finds expired manual leases itself, and no other statement used this index.
drop index if exists webhook_retry_due_at_idx;
