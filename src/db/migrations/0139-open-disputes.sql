-- outside a transaction
-- Payments with an open dispute, those that must be answered first in front.
create index concurrently if not exists payment_dispute on payment (store_id, (dispute ->> 'due_at'), id)
  where status = 'disputed' and dispute ->> 'status' = 'open';
