-- The discount of each order that uses a coupon, and the sum of these discounts (decision 359).
alter table coupon_use add column discount_cents bigint not null default 0 check (discount_cents >= 0);
alter table coupon add column given_cents bigint not null default 0 check (given_cents >= 0);

update coupon_use u
   set discount_cents = o.discount_cents
  from "order" o
 where o.store_id = u.store_id and o.id = u.order_id;
update coupon c
   set given_cents = s.given_cents
  from (select store_id, coupon_id, sum(discount_cents) as given_cents
          from coupon_use where live group by 1, 2) s
 where s.store_id = c.store_id and s.coupon_id = c.id;

-- Finds the products with recent sales (decision 358). Only a job writes this table, and it reads its sales from
-- `sales_delta`, so the lock during the build delays no order.
create index sales_product_day_recent on sales_product_day (store_id, day, product_id);
