-- outside a transaction
-- Orders for which more was paid, and not refunded, than they cost. Lists write the condition in the same way.
create index concurrently if not exists order_in_excess on "order" (store_id, created_at desc, id desc)
  where (paid_cents - refunded_cents
          - case when status in ('expired', 'cancelled', 'refunded') then 0 else total_cents end) > 0;
