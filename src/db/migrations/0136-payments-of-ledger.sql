-- outside a transaction
-- Payments of the ledger by time, with disputed ones.
create index concurrently if not exists payment_of_ledger on payment (store_id, (coalesce(reviewed_at, created_at)) desc, id desc)
  where status in ('approved', 'succeeded', 'disputed') and amount_cents > 0;
