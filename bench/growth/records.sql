-- Creates records of :orders orders in store :store. Of each list, 50 records match each filter that few match, at any
-- number of orders. Ids begin after :base, so that two stores can be filled in turns. The products must exist. The first
-- one has the id :product. :app and :endpoint are the ids of the client app and of the webhook endpoint.
create function pg_temp.few(n bigint, total bigint, k integer) returns boolean language sql immutable
  return n % greatest(total / 50, 2) = k;
-- The time of record n of this total: evenly over a year, the last one now. Logs have a shorter retention.
create function pg_temp.at(n bigint, total bigint) returns timestamptz language sql stable
  return now() - (total - n) * (interval '360 days' / total);
create function pg_temp.lately(n bigint, total bigint) returns timestamptz language sql stable
  return now() - (total - n) * (interval '25 days' / total);
create function pg_temp.order_id(n bigint) returns text language sql immutable
  return 'ord_' || substr(md5(:base || ' ' || n), 1, 22);
create function pg_temp.email(customer bigint) returns text language sql immutable
  return case customer when 1 then 'rare@example.com' else 'c' || customer || '@example.com' end;
-- The customer and the product of an order.
create function pg_temp.customer_of(n bigint) returns bigint language sql immutable
  return case when pg_temp.few(n, :orders, 7) then 1 else 2 + n % (:fifth - 1) end;
create function pg_temp.product_of(n bigint) returns bigint language sql immutable
  return :product + case when pg_temp.few(n, :orders, 8) then 0 else 1 + n % (:products - 1) end;

insert into customer (store_id, id, email, name, country, orders_count, total_spent_cents,
       first_order_at, last_order_at, tags, marketing_opt_in, blocked_at, created_at, updated_at) overriding system value
select :store, :base + n, pg_temp.email(n), 'Customer ' || n, case n % 3 when 0 then 'DE' else 'FR' end, 5,
       5 * (100 + n % 1000), pg_temp.at(n, :fifth), now() - n % 360 * interval '1 day',
       case when pg_temp.few(n, :fifth, 2) then '{vip}' else '{}'::text[] end, pg_temp.few(n, :fifth, 3),
       case when pg_temp.few(n, :fifth, 4) then now() end, pg_temp.at(n, :fifth), now()
  from generate_series(1, :fifth) n;
insert into customer_search (store_id, customer_id, runs)
select store_id, id, runs(store_id, email || chr(10) || coalesce(name, '')) from customer where store_id = :store;

insert into "order" (store_id, id, number, status, fulfillment_status, refund_status, source, currency,
       subtotal_cents, discount_cents, shipping_cents, total_cents, paid_cents, customer_id, customer_email,
       customer_country, payment_method, coupon, custom_fields, metadata, status_history, hold, paid_at, completed_at,
       expires_at, created_at, updated_at)
select :store, pg_temp.order_id(n), n, case when pg_temp.few(n, :orders, 1) then 'pending' else 'completed' end,
       case when pg_temp.few(n, :orders, 2) then 'unfulfilled' else 'not_required' end,
       case when pg_temp.few(n, :orders, 4) then 'full' else 'none' end,
       case when pg_temp.few(n, :orders, 3) then 'embed' else 'api' end, 'EUR', 100 + n % 1000, 0, 0, 100 + n % 1000,
       case when pg_temp.few(n, :orders, 1) then 0 when pg_temp.few(n, :orders, 9) then 9999 else 100 + n % 1000 end,
       :base + pg_temp.customer_of(n), pg_temp.email(pg_temp.customer_of(n)),
       case n % 3 when 0 then 'DE' else 'FR' end, case when pg_temp.few(n, :orders, 5) then 'free' else 'manual' end,
       case when pg_temp.few(n, :orders, 6) then '{"code": "RARE", "type": "fixed", "discount_cents": 1}'::jsonb end,
       '{}', '{}', '[]',
       case when pg_temp.few(n, :orders, 10) then '{"reason": "manual", "since": "2026-01-01T00:00:00.000Z", "note": null}'::jsonb end,
       case when not pg_temp.few(n, :orders, 1) then t.at end, case when not pg_temp.few(n, :orders, 1) then t.at end,
       case when pg_temp.few(n, :orders, 1) then now() + interval '30 days' end, t.at, t.at
  from generate_series(1, :orders) n
 cross join lateral (select pg_temp.at(n, :orders) as at) t;
insert into order_search (store_id, order_id, runs)
select store_id, id, runs(store_id, id || chr(10) || number || chr(10) || customer_email)
  from "order" where store_id = :store;
insert into order_counter (store_id, last_number) values (:store, :orders)
    on conflict (store_id) do update set last_number = excluded.last_number;
insert into order_item (store_id, id, order_id, product_id, product_hash, variant_id, name,
       variant_name, delivery_type, quantity, reserved, unit_price_cents, discount_cents, total_cents) overriding system value
select :store, :base + n, pg_temp.order_id(n), p.id, p.hash_id, v.id, p.name, v.name, 'serial', 1, 0, 100, 0, 100
  from generate_series(1, :orders) n
  join product p on p.store_id = :store and p.id = pg_temp.product_of(n)
  join variant v on v.store_id = :store and v.product_id = p.id and v.is_default;
insert into payment (store_id, id, order_id, kind, status, amount_cents, currency, reviewed_at,
       created_at) overriding system value
select :store, :base + n, pg_temp.order_id(n), 'manual',
       case when pg_temp.few(n, :orders, 1) then 'pending_review' else 'approved' end, 100, 'EUR',
       case when not pg_temp.few(n, :orders, 1) then pg_temp.at(n, :orders) end, pg_temp.at(n, :orders)
  from generate_series(1, :orders) n;
insert into stock_key (store_id, id, variant_id, value_enc, value_hmac, status, order_id,
       sold_at, created_at, import_id) overriding system value
select i.store_id, i.id, i.variant_id, '\x00', sha256(i.id::text::bytea), 'sold', i.order_id, now(), now(),
       'import ' || i.id % 50
  from order_item i where i.store_id = :store;
insert into stock_key (store_id, id, variant_id, value_enc, value_hmac, status, created_at,
       import_id) overriding system value
select i.store_id, i.id + :orders, i.variant_id, '\x00', sha256((i.id + :orders)::text::bytea),
       case when pg_temp.few(i.id - :base, :orders, 2) then 'burned' else 'available' end, now(), 'import ' || i.id % 50
  from order_item i where i.store_id = :store;
insert into stock_key_batch (store_id, variant_id, import_id, added_at, last_id, count, available, sold)
select store_id, variant_id, import_id, min(created_at), max(id), count(*),
       count(*) filter (where status = 'available'), count(*) filter (where status = 'sold')
  from stock_key where store_id = :store group by 1, 2, 3;
insert into delivery (store_id, id, order_id, order_item_id, product_id, product_hash,
       variant_id, type, status, delivered_at, created_at) overriding system value
select i.store_id, i.id, i.order_id, i.id, i.product_id, i.product_hash, i.variant_id, 'serial', 'delivered', now(), now()
  from order_item i where i.store_id = :store;
insert into delivery_key (store_id, delivery_id, stock_key_id)
select store_id, id, id from delivery where store_id = :store;
insert into refund (store_id, id, order_id, amount_cents, currency, reason, restock, created_at) overriding system value
select :store, :base + n, pg_temp.order_id(n * 10), 1, 'EUR', 'other', false, pg_temp.at(n, :tenth)
  from generate_series(1, :tenth) n;
insert into balance_entry (store_id, id, customer_id, amount_cents, balance_cents, reason,
       created_at) overriding system value
select :store, :base + n, :base + 1 + n % :fifth, 1, 1, 'gift', pg_temp.at(n, :fifth)
  from generate_series(1, :fifth) n;
insert into fulfillment (store_id, id, order_id, status, carrier_code, created_at, updated_at) overriding system value
select :store, :base + n, pg_temp.order_id(n * 5),
       case when pg_temp.few(n, :fifth, 1) then 'failed' else 'shipped' end, 'custom', pg_temp.at(n, :fifth), now()
  from generate_series(1, :fifth) n;
insert into payment_callback (store_id, id, provider, external_id, type, status, names, order_id,
       payment_id, received_at, applied_at) overriding system value
select :store, :base + n, case when pg_temp.few(n, :fifth, 1) then 'stripe' else 'test' end, 'callback ' || n, 'paid',
       case when pg_temp.few(n, :fifth, 2) then 'failed' else 'applied' end, '{}', pg_temp.order_id(n), :base + n,
       pg_temp.lately(n, :fifth), pg_temp.lately(n, :fifth)
  from generate_series(1, :fifth) n;

insert into event (store_id, no, tag, type, object_id, test, payload_enc, created_at)
select :store, :base + n, n, case when pg_temp.few(n, :orders, 1) then 'order.refunded' else 'order.created' end,
       pg_temp.order_id(n), pg_temp.few(n, :orders, 4), decode(repeat('ab', 200), 'hex'), pg_temp.lately(n, :orders)
  from generate_series(1, :orders) n;
insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, attempted_at, status_code, duration_ms,
       created_at, updated_at)
select :store, (:base + n) * 32, case when pg_temp.few(n, :orders, 5) then :rare_endpoint else :endpoint end,
       case when pg_temp.few(n, :orders, 2) then 'failed' else 'succeeded' end,
       1, pg_temp.lately(n, :orders), 200, 5, pg_temp.lately(n, :orders), pg_temp.lately(n, :orders)
  from generate_series(1, :orders) n;
insert into audit_event (store_id, id, action, actor_type, actor_id, object, object_id, created_at) overriding system value
select :store, :base + n, case when pg_temp.few(n, :orders, 1) then 'coupon.create' else 'order.create' end, 'api_key',
       case when pg_temp.few(n, :orders, 2) then '7' else '8' end,
       case when pg_temp.few(n, :orders, 3) then 'coupon' else 'order' end, pg_temp.order_id(n), pg_temp.at(n, :orders)
  from generate_series(1, :orders) n;
-- The request log keeps 7 days, and at most 100,000 calls of a store. The first characters of an id are its time.
insert into api_call (store_id, request_id, created_at, api_key_id, api, operation, method, path, status, error_code,
       duration_ms, address, details_enc)
select :store, ':requests' || lpad(n::text, 26 - length(':requests'), '0'), now() - (:logged - n) * (interval '5 days' / :logged),
       case when pg_temp.few(n, :logged, 1) then 7 else 8 end, 'store',
       case when pg_temp.few(n, :logged, 2) then 'orders.get' else 'orders.list' end, 'GET', '/v1/orders',
       case when pg_temp.few(n, :logged, 3) then 422 else 200 end,
       case when pg_temp.few(n, :logged, 3) then 'VALIDATION_ERROR' end, 5, '203.0.113.7', '\x00'
  from generate_series(1, :logged) n;
insert into mail (store_id, id, message, template, subject, recipient, status, due_at, order_id,
       sent_at, created_at) overriding system value
select :store, :base + n, 'msg_' || substr(md5(:base || ' ' || n), 1, 22),
       case when pg_temp.few(n, :fifth, 2) then 'order_paid' else 'stock_alert' end, 'Back', pg_temp.email(n),
       case when pg_temp.few(n, :fifth, 1) then 'bounced' else 'sent' end, now(), pg_temp.order_id(n), now(),
       pg_temp.lately(n, :fifth)
  from generate_series(1, :fifth) n;
insert into idempotent_answer (store_id, api_key_id, key, request_hash, status, body_enc, created_at)
select :store, 1, 'key ' || n, sha256(n::text::bytea), 201, '\x00', now() - n % 1000 * interval '1 minute'
  from generate_series(1, :tenth) n;

insert into license_key (store_id, id, app_id, key_hmac, key_enc, key_preview, level,
       entitlements, expiry_basis, expires_at, reset_cooldown_seconds, metadata, product_hash, order_id, order_item_id,
       customer_email, banned_at, ban_reason, suspended_at, first_activated_at, created_at, updated_at) overriding system value
select :store, :base + n, :app, sha256((:base || ' ' || n)::bytea), '\x00', 'KEY1', case when pg_temp.few(n, :half, 1) then 7 else 0 end,
       '{}', 'creation', case when pg_temp.few(n, :half, 2) then now() - interval '1 day' else now() + n % 300 * interval '1 day' + interval '1 day' end, 0, '{}',
       case when pg_temp.few(n, :half, 3) then 'z00000000001' else 'z00000000002' end,
       pg_temp.order_id(n), :base + n, pg_temp.email(pg_temp.customer_of(n)),
       case when pg_temp.few(n, :half, 4) then now() end, case when pg_temp.few(n, :half, 4) then 'fraud' end,
       case when pg_temp.few(n, :half, 5) then now() end, case when not pg_temp.few(n, :half, 6) then now() end,
       pg_temp.at(n, :half), now()
  from generate_series(1, :half) n;
insert into device (store_id, id, app_id, key_id, fingerprint_hash, components, status,
       first_seen_at, last_seen_at) overriding system value
select :store, :base + n, :app, :base + n, sha256(n::text::bytea), '{}', 'active', now(), now()
  from generate_series(1, :half) n;
-- Most sessions have ended. The others are those of 50 keys and of 50 keys without a recent heartbeat.
insert into client_session (store_id, id, app_id, key_id, device_id, token_hash, started_at,
       last_heartbeat_at, lease_expires_at, expires_at, ended_at, ended_reason) overriding system value
select :store, :base + n, :app, :base + n, :base + n, sha256((:base || ' ' || n)::bytea), t.at, t.at,
       case when pg_temp.few(n, :half, 1) then now() + interval '5 days' else t.at + interval '1 hour' end,
       now() + interval '10 days', case when not pg_temp.few(n, :half, 1) and not pg_temp.few(n, :half, 2) then t.at end,
       case when not pg_temp.few(n, :half, 1) and not pg_temp.few(n, :half, 2) then 'ended' end
  from generate_series(1, :half) n
 cross join lateral (select pg_temp.lately(n, :half) as at) t;
insert into client_report (store_id, id, app_id, key_id, device_id, session_id, kind, detail,
       action, created_at) overriding system value
select :store, :base + n, :app, :base + n, :base + n, :base + n,
       case when pg_temp.few(n, :tenth, 1) then 'debugger' else 'tampered' end, 'Found.', 'log', pg_temp.lately(n, :tenth)
  from generate_series(1, :tenth) n;
insert into license_key_tombstone (store_id, app_id, key_hmac, created_at)
select :store, :app, sha256(('gone ' || n)::bytea), pg_temp.at(n, :tenth) from generate_series(1, :tenth) n;
insert into device_ban (store_id, id, app_id, fingerprint_hash, reason, created_at) overriding system value
select :store, :base + n, :app, sha256(('ban ' || n)::bytea), 'fraud', pg_temp.at(n, :hundredth)
  from generate_series(1, :hundredth) n;

insert into subscription (store_id, id, status, customer_id, product_id, variant_id,
       initial_invoice_id, order_item_id, quantity, unit_price_cents, discount_cents, discount_percent,
       initial_price_cents, billing_cycle, trial_days, currency, payment_method, auto_renew, started_at, anchor_at,
       periods, current_period_start, current_period_end, last_invoice_id, due_at, created_at, updated_at) overriding system value
select :store, :base + n, case when pg_temp.few(n, :tenth, 1) then 'past_due' else 'active' end,
       :base + pg_temp.customer_of(n), i.product_id, i.variant_id, i.order_id, i.id, 1, 100, 0, 0, 100, 'monthly', 0, 'EUR',
       'manual', not pg_temp.few(n, :tenth, 2), pg_temp.at(n, :tenth), pg_temp.at(n, :tenth), 1, now() - interval '1 day',
       now() + interval '29 days', i.order_id, now() + interval '20 days' + n % 9 * interval '1 day',
       pg_temp.at(n, :tenth), now()
  from generate_series(1, :tenth) n
  join order_item i on i.store_id = :store and i.id = :base + n;
insert into subscription_payment (store_id, id, subscription_id, order_id, amount_cents, status,
       paid_at, created_at) overriding system value
select store_id, id, id, initial_invoice_id, 100, 'paid', created_at, created_at from subscription where store_id = :store;
insert into order_return (store_id, id, number, order_id, customer_email, status, requested_at,
       approved_at, created_at, updated_at) overriding system value
select :store, :base + n, n, pg_temp.order_id(n), pg_temp.email(pg_temp.customer_of(n)),
       case when pg_temp.few(n, :tenth, 1) then 'requested' else 'approved' end, pg_temp.at(n, :tenth),
       case when not pg_temp.few(n, :tenth, 1) then now() end, pg_temp.at(n, :tenth), now()
  from generate_series(1, :tenth) n;
insert into order_return_item (store_id, return_id, order_item_id, quantity, reason)
select store_id, id, id, 1, 'other' from order_return where store_id = :store;
insert into review (store_id, id, order_id, product_id, customer_email, rating, automatic,
       status, reply, replied_at, created_at, updated_at) overriding system value
select :store, :base + n, pg_temp.order_id(n), pg_temp.product_of(n), pg_temp.email(pg_temp.customer_of(n)),
       case when pg_temp.few(n, :tenth, 1) then 1 else 5 end, pg_temp.few(n, :tenth, 2),
       case when pg_temp.few(n, :tenth, 3) then 'hidden' else 'published' end,
       case when pg_temp.few(n, :tenth, 4) then 'Thanks.' end, case when pg_temp.few(n, :tenth, 4) then now() end,
       pg_temp.at(n, :tenth), now()
  from generate_series(1, :tenth) n;
insert into review_tally (store_id, product_id, rating, reviews)
select store_id, product_id, rating, count(*) from review where store_id = :store group by 1, 2, 3;
insert into question (store_id, id, product_id, customer_email, body, status, answers,
       answered_at, created_at) overriding system value
select :store, :base + n, pg_temp.product_of(n), pg_temp.email(pg_temp.customer_of(n)), 'Does it run?',
       case when pg_temp.few(n, :tenth, 1) then 'pending' else 'answered' end,
       case when pg_temp.few(n, :tenth, 1) then 0 else 1 end, case when not pg_temp.few(n, :tenth, 1) then now() end,
       pg_temp.at(n, :tenth)
  from generate_series(1, :tenth) n;
insert into question_answer (store_id, id, question_id, author, body, created_at) overriding system value
select store_id, id, id, 'seller', 'Yes.', created_at from question where store_id = :store and answers = 1;
insert into ticket (store_id, id, customer_email, order_id, subject, status, awaiting,
       message_count, last_message_at, closed_at, created_at, updated_at) overriding system value
select :store, :base + n, pg_temp.email(pg_temp.customer_of(n)), pg_temp.order_id(n), 'Help',
       case when open then 'open' else 'closed' end, case when open then 'seller' end, 1, t.at,
       case when not open then t.at end, t.at, t.at
  from generate_series(1, :tenth) n
 cross join lateral (select pg_temp.at(n, :tenth) as at, pg_temp.few(n, :tenth, 1) as open) t;
insert into ticket_message (store_id, id, ticket_id, author, body, created_at) overriding system value
select store_id, id, id, 'customer', 'It does not start.', created_at from ticket where store_id = :store;
insert into ticket_tally (store_id, status, awaiting, tickets)
select store_id, status, coalesce(awaiting, ''), count(*) from ticket where store_id = :store group by 1, 2, 3;
insert into stock_alert (store_id, id, product_id, email, status, notified_at, created_at) overriding system value
select :store, :base + n, pg_temp.product_of(n), pg_temp.email(n), case when pg_temp.few(n, :tenth, 1) then 'pending' else 'notified' end,
       case when not pg_temp.few(n, :tenth, 1) then now() end, now()
  from generate_series(1, :tenth) n;
insert into coupon (store_id, id, code, type, discount_percent, product_ids, variant_ids, category_ids,
       payment_methods, allowed_emails, applies_to_renewals, active, created_at, updated_at) overriding system value
select :store, :base + n, 'CODE' || n, 'percentage', 10, '{}', '{}', '{}', '{}', '{}', false,
       not pg_temp.few(n, :hundredth, 1), pg_temp.at(n, :hundredth), now()
  from generate_series(1, :hundredth) n;
insert into coupon_use (store_id, coupon_id, order_id, customer_id, discount_cents)
select :store, :base + 1 + n % :hundredth, pg_temp.order_id(n), :base + pg_temp.customer_of(n), 1
  from generate_series(1, :tenth) n;
insert into blocklist_entry (store_id, id, type, value, created_at, updated_at) overriding system value
select :store, :base + n, 'email', 'blocked' || n || '@example.com', pg_temp.at(n, :hundredth), now()
  from generate_series(1, :hundredth) n;
insert into affiliate_partner (store_id, id, email, status, valid_count, created_at, updated_at)
select :store, 'par_' || lpad(n::text, 22, '0'), 'partner-' || n || '@example.com',
       case when pg_temp.few(n, :hundredth, 1) then 'applied' else 'approved' end, 10, pg_temp.at(n, :hundredth), now()
  from generate_series(1, :hundredth) n;
insert into affiliate_link (store_id, code, partner_id, created_at)
select store_id, 'link-' || right(id, 10), id, created_at from affiliate_partner where store_id = :store;
insert into affiliate_conversion (store_id, id, order_id, partner_id, link_code, source, status, flags, captured_at, paid_at) overriding system value
select :store, :base + n, pg_temp.order_id(n), 'par_' || lpad((1 + n % :hundredth)::text, 22, '0'), 'link', 'link',
       case when pg_temp.few(n, :tenth, 1) then 'flagged' else 'valid' end, '{}', pg_temp.at(n, :tenth), pg_temp.at(n, :tenth)
  from generate_series(1, :tenth) n;
insert into affiliate_payout (store_id, id, partner_id, amount_cents, currency, status, requested_at, sent_at) overriding system value
select :store, :base + n, 'par_' || lpad((1 + n % :hundredth)::text, 22, '0'), 1, 'EUR', 'sent', pg_temp.at(n, :hundredth), now()
  from generate_series(1, :hundredth) n;
insert into withdrawal (store_id, id, amount_cents, fee_cents, currency, method, address, status, created_at, completed_at) overriding system value
select :store, :base + n, 1, 0, 'EUR', 'bank_transfer', 'GB29', 'completed', pg_temp.at(n, :hundredth), now()
  from generate_series(1, :hundredth) n;
insert into wallet (store_id, paid_cents, refunded_cents) values (:store, 100 * :orders, :tenth)
    on conflict (store_id) do update set paid_cents = excluded.paid_cents;

insert into sales_quarter (store_id, quarter, created, converted, completed, orders, units, gross_cents)
select store_id, quarter_of(created_at), count(*), count(*), count(*), count(*), count(*), sum(subtotal_cents)
  from "order" where store_id = :store group by 1, 2;
insert into sales_day
select store_id, utc_day(quarter), sum(created), sum(converted), sum(completed), sum(orders), sum(units),
       sum(gross_cents), sum(discount_cents), sum(shipping_cents), sum(refunded_cents), sum(new_customers)
  from sales_quarter where store_id = :store group by 1, 2;
insert into sales_day_part (store_id, day, kind, name, orders, gross_cents)
select o.store_id, utc_day(o.created_at), part.kind, part.name, count(*), sum(o.subtotal_cents)
  from "order" o
 cross join lateral (values ('payment_method', o.payment_method), ('country', o.customer_country)) part(kind, name)
 where o.store_id = :store group by 1, 2, 3, 4;
insert into sales_product_day (store_id, product_id, day, units, gross_cents)
select o.store_id, i.product_id, utc_day(o.created_at), count(*), sum(i.total_cents)
  from "order" o join order_item i on i.store_id = o.store_id and i.order_id = o.id
 where o.store_id = :store group by 1, 2, 3;
insert into sales_product (store_id, product_id, gross_cents)
select store_id, product_id, sum(gross_cents) from sales_product_day where store_id = :store group by 1, 2
