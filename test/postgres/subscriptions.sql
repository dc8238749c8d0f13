-- Copies the first subscription of store :store so that :count subscriptions are due. Each has a separate customer
-- with a balance, and a separate first order. The orders are older than the retention of events.
update subscription
   set created_at = now() - interval '40 days', started_at = now() - interval '40 days',
       anchor_at = now() - interval '1 minute', periods = 0,
       current_period_start = now() - interval '40 days',
       current_period_end = now() - interval '1 minute', due_at = now() - interval '1 minute'
 where store_id = :store;
update subscription_payment
   set period_start = now() - interval '40 days', period_end = now() - interval '1 minute'
 where store_id = :store;
update customer set balance_cents = 1000000 where store_id = :store;
insert into customer (store_id, email, balance_cents, created_at, updated_at)
select :store, 'due-' || n || '@example.com', 1000000, now(), now()
  from generate_series(2, :count) n;
insert into "order" (store_id, id, number, status, fulfillment_status, source, currency,
       subtotal_cents, discount_cents, shipping_cents, total_cents, paid_cents, payment_method,
       customer_id, customer_email, custom_fields, metadata, status_history, recurring, paid_at,
       created_at, updated_at)
select o.store_id, 'ord_' || lpad(n::text, 22, '0'), 1000000 + n, o.status, o.fulfillment_status,
       o.source, o.currency, o.subtotal_cents, 0, 0, o.total_cents, o.paid_cents, o.payment_method,
       c.id, c.email, '{}', '{}', o.status_history, o.recurring, o.paid_at - interval '40 days',
       o.created_at - interval '40 days', o.updated_at
  from subscription s
  join "order" o on o.store_id = s.store_id and o.id = s.initial_invoice_id
 cross join generate_series(2, :count) n
  join customer c on c.store_id = s.store_id and c.email = 'due-' || n || '@example.com'
 where s.store_id = :store;
update order_counter set last_number = 2000000 where store_id = :store;
insert into order_item (store_id, order_id, product_id, product_hash, variant_id, name, variant_name,
       sku, delivery_type, quantity, reserved, unit_price_cents, discount_cents, total_cents)
select i.store_id, 'ord_' || lpad(n::text, 22, '0'), i.product_id, i.product_hash, i.variant_id, i.name,
       i.variant_name, i.sku, i.delivery_type, i.quantity, 0, i.unit_price_cents, 0, i.total_cents
  from subscription s
  join order_item i on i.store_id = s.store_id and i.id = s.order_item_id
 cross join generate_series(2, :count) n
 where s.store_id = :store;
insert into subscription (store_id, status, customer_id, product_id, variant_id, initial_invoice_id,
       order_item_id, quantity, unit_price_cents, discount_cents, discount_percent, initial_price_cents,
       billing_cycle, trial_days, currency, payment_method, started_at, anchor_at, periods,
       current_period_start, current_period_end, last_invoice_id, due_at, created_at, updated_at)
select s.store_id, s.status, o.customer_id, s.product_id, s.variant_id, o.id, i.id, s.quantity,
       s.unit_price_cents, 0, 0, s.initial_price_cents, s.billing_cycle, 0, s.currency,
       s.payment_method, s.started_at, s.anchor_at, s.periods, s.current_period_start,
       s.current_period_end, o.id, s.due_at, s.created_at, s.updated_at
  from subscription s
 cross join generate_series(2, :count) n
  join "order" o on o.store_id = s.store_id and o.id = 'ord_' || lpad(n::text, 22, '0')
  join order_item i on i.store_id = o.store_id and i.order_id = o.id
 where s.store_id = :store;
insert into subscription_payment (store_id, subscription_id, order_id, amount_cents, status,
       period_start, period_end, paid_at, created_at)
select s.store_id, s.id, s.initial_invoice_id, s.initial_price_cents, 'paid', s.current_period_start,
       s.current_period_end, s.started_at, s.created_at
  from subscription s
 where s.store_id = :store
   and not exists (select from subscription_payment sp
                    where sp.store_id = s.store_id and sp.subscription_id = s.id);
analyze;
