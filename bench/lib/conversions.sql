-- Creates 100 partners of store :store, and attributes the orders of year-of-sales.sql to them.
insert into affiliate_partner (store_id, id, email, status, valid_count, created_at, updated_at)
select :store, 'par_' || lpad(n::text, 22, '0'), 'partner-' || n || '@example.com', 'approved',
       :orders / 100, now(), now()
  from generate_series(0, 99) n;
insert into affiliate_conversion (store_id, order_id, partner_id, link_code, source, status, flags, captured_at,
       paid_at)
select store_id, id, 'par_' || lpad((number % 100)::text, 22, '0'), 'link', 'link', 'valid', '{}',
       created_at, paid_at
  from "order" where store_id = :store;
vacuum analyze affiliate_partner, affiliate_conversion;
