-- outside a transaction
-- Paid orders of a period with the amounts of their customers, for lists and for the best customers (decision 323).
create index concurrently if not exists order_by_payment
  on "order" (store_id, paid_at desc nulls last, id desc) include (customer_id, paid_cents, refunded_cents);
