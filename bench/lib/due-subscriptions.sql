-- Copies the first subscription of store :store with its customer, order and license, so that :count weekly
-- subscriptions are due. Each customer has a balance. The orders are older than the retention of events.
--
-- A copy is read from `jsonb_populate_record`, which changes some columns of a row. The lateral queries of `nextval`
-- name a column of the row only so that they run once for each row.
create temporary table first as
select s.store_id, s.id as subscription_id, s.customer_id, s.initial_invoice_id as order_id,
       s.order_item_id, now() - interval '40 days' as ordered_at, now() - interval '8 days' as period_start,
       now() - interval '1 day' as period_end
  from subscription s
 where s.store_id = :store
 order by s.id
 limit 1;
-- The first subscription becomes due, and its records become older.
delete from event where store_id = :store;
update "order" o
   set created_at = f.ordered_at, updated_at = f.ordered_at, paid_at = f.ordered_at, completed_at = f.ordered_at
  from first f where o.store_id = f.store_id and o.id = f.order_id;
update customer c
   set created_at = f.ordered_at, updated_at = f.ordered_at, first_order_at = f.ordered_at,
       last_order_at = f.ordered_at
  from first f where c.store_id = f.store_id and c.id = f.customer_id;
update payment p set created_at = f.ordered_at, reviewed_at = f.ordered_at
  from first f where p.store_id = f.store_id and p.order_id = f.order_id;
update delivery d set created_at = f.ordered_at, delivered_at = f.ordered_at
  from first f where d.store_id = f.store_id and d.order_id = f.order_id;
update subscription s
   set created_at = f.period_start, started_at = f.period_start, anchor_at = f.period_start,
       current_period_start = f.period_start, current_period_end = f.period_end, due_at = f.period_end, updated_at = f.period_start
  from first f where s.store_id = f.store_id and s.id = f.subscription_id;
update subscription_payment sp set period_start = f.period_start, period_end = f.period_end, paid_at = f.period_start
  from first f where sp.store_id = f.store_id and sp.subscription_id = f.subscription_id;
update license_key k set expires_at = f.period_end
  from first f where k.store_id = f.store_id and k.order_item_id = f.order_item_id;

-- Its records are copied.
insert into customer overriding system value
select copy.*
  from first f
  join customer c on c.store_id = f.store_id and c.id = f.customer_id
 cross join generate_series(2, :count) n
 cross join lateral (select nextval(pg_get_serial_sequence('customer', 'id')) as id where n > 0) new_row
 cross join lateral jsonb_populate_record(c, jsonb_build_object(
       'id', new_row.id, 'email', 'due-' || n || '@example.com')) copy;
insert into customer_search (store_id, customer_id, runs)
select c.store_id, c.id, runs(c.store_id, c.email || chr(10) || coalesce(c.name, ''))
  from first f
  join customer c on c.store_id = f.store_id and c.email like 'due-%';
insert into "order"
select copy.*
  from first f
  join "order" o on o.store_id = f.store_id and o.id = f.order_id
 cross join generate_series(2, :count) n
  join customer c on c.store_id = f.store_id and c.email = 'due-' || n || '@example.com'
 cross join lateral jsonb_populate_record(o, jsonb_build_object(
       'id', 'ord_' || lpad(n::text, 22, '0'), 'number', n, 'customer_id', c.id,
       'customer_email', c.email)) copy;
update order_counter set last_number = :count where store_id = :store;
analyze customer;
analyze "order";
insert into order_search (store_id, order_id, runs)
select o.store_id, o.id, runs(o.store_id, o.id || chr(10) || o.number || chr(10) || o.customer_email)
  from first f
  join "order" o on o.store_id = f.store_id and o.id <> f.order_id;
insert into order_item overriding system value
select copy.*
  from first f
  join order_item i on i.store_id = f.store_id and i.id = f.order_item_id
  join "order" o on o.store_id = f.store_id and o.id <> f.order_id
 cross join lateral (select nextval(pg_get_serial_sequence('order_item', 'id')) as id where o.id <> '') new_row
 cross join lateral jsonb_populate_record(i, jsonb_build_object('id', new_row.id, 'order_id', o.id)) copy;
insert into payment overriding system value
select copy.*
  from first f
  join payment p on p.store_id = f.store_id and p.order_id = f.order_id
  join "order" o on o.store_id = f.store_id and o.id <> f.order_id
 cross join lateral (select nextval(pg_get_serial_sequence('payment', 'id')) as id where o.id <> '') new_row
 cross join lateral jsonb_populate_record(p, jsonb_build_object('id', new_row.id, 'order_id', o.id)) copy;
insert into delivery overriding system value
select copy.*
  from first f
  join delivery d on d.store_id = f.store_id and d.order_id = f.order_id
  join order_item i on i.store_id = f.store_id and i.order_id <> f.order_id
 cross join lateral (select nextval(pg_get_serial_sequence('delivery', 'id')) as id where i.id > 0) new_row
 cross join lateral jsonb_populate_record(d, jsonb_build_object(
       'id', new_row.id, 'order_id', i.order_id, 'order_item_id', i.id)) copy;
insert into subscription overriding system value
select copy.*
  from first f
  join subscription s on s.store_id = f.store_id and s.id = f.subscription_id
  join order_item i on i.store_id = f.store_id and i.order_id <> f.order_id
  join "order" o on o.store_id = i.store_id and o.id = i.order_id
 cross join lateral (select nextval(pg_get_serial_sequence('subscription', 'id')) as id where i.id > 0) new_row
 cross join lateral jsonb_populate_record(s, jsonb_build_object(
       'id', new_row.id, 'customer_id', o.customer_id, 'initial_invoice_id', o.id, 'last_invoice_id', o.id,
       'order_item_id', i.id)) copy;
insert into subscription_payment overriding system value
select copy.*
  from first f
  join subscription_payment sp on sp.store_id = f.store_id and sp.subscription_id = f.subscription_id
  join subscription s on s.store_id = f.store_id and s.id <> f.subscription_id
 cross join lateral (select nextval(pg_get_serial_sequence('subscription_payment', 'id')) as id where s.id > 0) new_row
 cross join lateral jsonb_populate_record(sp, jsonb_build_object(
       'id', new_row.id, 'subscription_id', s.id, 'order_id', s.initial_invoice_id)) copy;
-- License keys without an order become the keys of the copies.
update license_key k
   set order_item_id = s.order_item_id, order_id = s.initial_invoice_id, subscription_id = s.id,
       customer_email = c.email, expires_at = f.period_end, product_hash = first_key.product_hash,
       variant_id = first_key.variant_id
  from first f
  join license_key first_key on first_key.store_id = f.store_id and first_key.order_item_id = f.order_item_id
 cross join lateral (
       select s.*, row_number() over (order by s.id) as position from subscription s
        where s.store_id = f.store_id and s.id <> f.subscription_id) s
  join customer c on c.store_id = s.store_id and c.id = s.customer_id
  join lateral (
       select id, row_number() over (order by id) as position from license_key
        where store_id = f.store_id and order_item_id is null) unused on unused.position = s.position
 where k.store_id = f.store_id and k.id = unused.id;

-- The totals are set to match the orders.
insert into balance_entry (store_id, customer_id, amount_cents, balance_cents, reason, created_at)
select f.store_id, s.customer_id, 1000000, c.balance_cents + 1000000, 'A gift.', now()
  from first f
  join subscription s on s.store_id = f.store_id
  join customer c on c.store_id = s.store_id and c.id = s.customer_id;
update customer c set balance_cents = c.balance_cents + 1000000
  from first f
  join subscription s on s.store_id = f.store_id
 where c.store_id = f.store_id and c.id = s.customer_id;
update stock set sold = :count
  from first f
  join order_item i on i.store_id = f.store_id and i.id = f.order_item_id
 where stock.store_id = f.store_id and stock.variant_id = i.variant_id;
update product_stock ps set sold = :count
  from first f
  join order_item i on i.store_id = f.store_id and i.id = f.order_item_id
 where ps.store_id = f.store_id and ps.product_id = i.product_id;
delete from sales_quarter where store_id = :store;
delete from sales_day where store_id = :store;
delete from sales_day_part where store_id = :store;
delete from sales_product_day where store_id = :store;
delete from sales_product where store_id = :store;
delete from sales_delta where store_id = :store;
insert into sales_delta (store_id, at, created, new_customers)
select o.store_id, o.created_at, 1, 1 from first f join "order" o on o.store_id = f.store_id;
insert into sales_delta (store_id, at, completed_of, order_id, units, gross_cents, payment_method)
select o.store_id, o.paid_at, case when o.completed_at is not null then o.created_at end, o.id, 1,
       o.subtotal_cents, o.payment_method
  from first f join "order" o on o.store_id = f.store_id;
delete from wallet_delta where store_id = :store;
update wallet set paid_cents = 0, refunded_cents = 0 where store_id = :store;
insert into wallet_delta (store_id, paid_cents, refunded_cents)
select o.store_id, sum(o.paid_cents), 0 from first f join "order" o on o.store_id = f.store_id group by o.store_id;
drop table first;
analyze;
