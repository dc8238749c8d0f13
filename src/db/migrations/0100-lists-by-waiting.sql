-- outside a transaction
-- Indexes for lists that are sorted by waiting or by the next renewal (decision 356). Each index has the expressions of
-- its list.
create index concurrently if not exists ticket_by_waiting on ticket
  (store_id, (awaiting is distinct from 'seller'), (case when awaiting = 'seller' then last_message_at end),
   last_message_at desc, id desc);
create index concurrently if not exists return_by_waiting on order_return
  (store_id, (case status when 'requested' then 0 when 'received' then 1 when 'approved' then 2 else 3 end),
   (case when status in ('requested', 'received', 'approved') then created_at end), created_at desc, id desc);
create index concurrently if not exists subscription_by_renewal on subscription
  (store_id, (case when auto_renew and status in ('trialing', 'active', 'past_due') then due_at end), id);
create index concurrently if not exists question_by_waiting on question
  (store_id, (status <> 'pending'), (case when status = 'pending' then created_at end), created_at desc, id desc);
