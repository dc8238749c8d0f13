-- Creates :customers customers and :orders paid orders of the last 360 days in store :store, with the matching
-- sums of sales. The products must exist.
insert into customer (store_id, email, name, country, orders_count, total_spent_cents, first_order_at,
       last_order_at, created_at, updated_at)
select :store, 'c' || n || '@example.com', 'Customer ' || n, case n % 3 when 0 then 'DE' else 'FR' end,
       :orders / :customers, :orders / :customers * (100 + n % 1000), now() - interval '360 days', now(),
       now(), now()
  from generate_series(1, :customers) n;
-- The check of a foreign key is planned once. Without statistics it might read the whole table for each order.
analyze customer;
-- The index is created after the rows are inserted, because inserting 200,000 rows into it takes minutes.
drop index customer_search_runs_idx;
insert into customer_search (store_id, customer_id, runs)
select store_id, id, runs(store_id, email || chr(10) || coalesce(name, ''))
  from customer where store_id = :store;
create index customer_search_runs_idx on customer_search using gin (runs) with (gin_pending_list_limit = 512);
insert into "order" (store_id, id, number, status, fulfillment_status, source, currency, subtotal_cents,
       discount_cents, shipping_cents, total_cents, paid_cents, customer_id, customer_email,
       customer_country, payment_method, custom_fields, metadata, status_history, paid_at, completed_at,
       created_at, updated_at)
select :store, 'ord_' || lpad(n::text, 22, '0'), n, 'completed', 'not_required', 'api', 'EUR', c.price_cents, 0, 0,
       c.price_cents, c.price_cents, c.id, c.email, c.country, case n % 4 when 0 then 'balance' else 'manual' end,
       '{}', '{}', '[]', t.paid_at, t.paid_at, t.paid_at, t.paid_at
  from generate_series(1, :orders) n
 cross join lateral (select now() - n * (interval '360 days' / :orders) as paid_at) t
  join (select id, email, country, total_spent_cents / orders_count as price_cents,
               row_number() over (order by id) as position
          from customer where store_id = :store) c
    on c.position = 1 + n % :customers;
analyze "order";
update order_counter set last_number = :orders where store_id = :store;
insert into sales_quarter (store_id, quarter, created, converted, completed, orders, units, gross_cents,
       new_customers)
select store_id, quarter_of(paid_at), count(*), count(*), count(*), count(*), count(*), sum(subtotal_cents), 0
  from "order" where store_id = :store
 group by 1, 2;
insert into sales_day_part (store_id, day, kind, name, orders, gross_cents)
select o.store_id, utc_day(o.paid_at), part.kind, part.name, count(*), sum(o.subtotal_cents)
  from "order" o
 cross join lateral (values ('payment_method', o.payment_method), ('country', o.customer_country)) part(kind, name)
 where o.store_id = :store
 group by 1, 2, 3, 4;
insert into sales_product_day (store_id, product_id, day, units, gross_cents)
select p.store_id, p.id, utc_day(now() - n * interval '1 day'), 1 + (p.id + n) % 7, p.id * (1 + (p.id + n) % 7)
  from product p, generate_series(0, 360) n
 where p.store_id = :store;
insert into sales_product (store_id, product_id, gross_cents)
select store_id, product_id, sum(gross_cents)
  from sales_product_day where store_id = :store
 group by 1, 2;
vacuum analyze;
