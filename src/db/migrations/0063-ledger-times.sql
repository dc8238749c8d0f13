-- outside a transaction
-- What changed the wallet and the balances of customers, by its time: the ledger reads a page of it.
create index concurrently if not exists payment_in_ledger on payment (store_id, (coalesce(reviewed_at, created_at)) desc, id desc)
  where status in ('approved', 'succeeded') and amount_cents > 0;
create index concurrently if not exists refund_in_ledger on refund (store_id, created_at desc, id desc)
  where amount_cents > 0;
create index concurrently if not exists balance_entry_in_ledger on balance_entry (store_id, created_at desc, id desc);
