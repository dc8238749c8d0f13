-- outside a transaction
-- Orders for which more was paid than they cost, and not refunded yet. Lists write the condition in the same way.
create index concurrently if not exists order_overpaid on "order" (store_id, created_at desc, id desc)
  where paid_cents - refunded_cents - total_cents > 0;
-- The next callbacks of a store whose clock was moved.
create index concurrently if not exists payment_callback_due_of_store on payment_callback (store_id, retry_at)
  where retry_at is not null;
create index concurrently if not exists test_payment_late_of_store on test_payment (store_id, callback_at)
  where callback_at is not null;
