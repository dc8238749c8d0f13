-- outside a transaction
-- Indexes for the ledger, which reads the payments, refunds and balance entries of a store by time.
create index concurrently if not exists payment_in_ledger on payment (store_id, (coalesce(reviewed_at, created_at)) desc, id desc)
  where status in ('approved', 'succeeded') and amount_cents > 0;
create index concurrently if not exists refund_in_ledger on refund (store_id, created_at desc, id desc)
  where amount_cents > 0;
create index concurrently if not exists balance_entry_in_ledger on balance_entry (store_id, created_at desc, id desc);
