-- The claim of retries finds expired manual leases, so nothing searches for them alone any more.
drop index if exists webhook_retry_due_at_idx;
