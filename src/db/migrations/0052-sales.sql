-- Sales by quarters of an hour. The offset of every time zone is a multiple of 15 minutes, so the days of any zone are
-- sums of these rows.
create table sales_quarter (
  store_id       bigint         not null references store,
  quarter        timestamptz(3) not null,
  -- Created orders, how many of these were completed at any time, and orders completed in this quarter.
  created        bigint         not null default 0,
  converted      bigint         not null default 0,
  completed      bigint         not null default 0,
  -- Orders paid in this quarter with their units and amounts, and the amount of refunds in this quarter.
  orders         bigint         not null default 0,
  units          bigint         not null default 0,
  gross_cents    bigint         not null default 0,
  discount_cents bigint         not null default 0,
  shipping_cents bigint         not null default 0,
  refunded_cents bigint         not null default 0,
  -- Customers whose first paid order is in this quarter.
  new_customers  bigint         not null default 0,
  primary key (store_id, quarter)
) with (fillfactor = 70);

-- Paid orders of a UTC day by payment method and by country. The name is '' if the order has none.
create table sales_day_part (
  store_id    bigint not null references store,
  day         date   not null,
  kind        text   not null check (kind in ('payment_method', 'country')),
  name        text   not null,
  orders      bigint not null,
  gross_cents bigint not null,
  primary key (store_id, day, kind, name)
) with (fillfactor = 70);

create table sales_product_day (
  store_id    bigint not null references store,
  product_id  bigint not null,
  day         date   not null,
  units       bigint not null,
  gross_cents bigint not null,
  primary key (store_id, product_id, day),
  foreign key (store_id, product_id) references product
) with (fillfactor = 70);

-- The sum of all days of a product. The sales of a period never exceed it, so the best-selling products of a period are
-- found by reading this table from the highest sum on.
create table sales_product (
  store_id    bigint not null references store,
  product_id  bigint not null,
  gross_cents bigint not null,
  primary key (store_id, product_id),
  foreign key (store_id, product_id) references product
) with (fillfactor = 70);
create index sales_product_best on sales_product (store_id, gross_cents desc, product_id desc);

-- Changes that a job adds to the tables above. Each order appends rows, so orders do not wait for each other.
create table sales_delta (
  id             bigint         generated always as identity primary key,
  store_id       bigint         not null,
  at             timestamptz(3) not null,
  created        smallint       not null default 0,
  -- The time of creation of the order that was completed at `at`.
  completed_of   timestamptz(3),
  -- The paid order. The job reads its lines.
  order_id       text           collate "C",
  units          bigint         not null default 0,
  gross_cents    bigint         not null default 0,
  discount_cents bigint         not null default 0,
  shipping_cents bigint         not null default 0,
  payment_method text,
  country        text,
  refunded_cents bigint         not null default 0,
  new_customers  smallint       not null default 0
);

-- False if the money was refunded before the order was paid in full, because it never counted as a sale.
alter table refund add column of_sale boolean not null default true;
update refund r
   set of_sale = false
  from "order" o
 where o.store_id = r.store_id and o.id = r.order_id
   and (o.paid_at is null or r.created_at < o.paid_at);

create function quarter_of(at timestamptz) returns timestamptz(3)
  language sql immutable strict parallel safe
  return date_bin('15 minutes', at, '2000-01-01T00:00:00Z');
create function utc_day(at timestamptz) returns date
  language sql immutable strict parallel safe
  return (at at time zone 'UTC')::date;

insert into sales_quarter
       (store_id, quarter, created, converted, completed, orders, units, gross_cents, discount_cents,
        shipping_cents, refunded_cents, new_customers)
select store_id, quarter_of(at), sum(created), sum(converted), sum(completed), sum(orders), sum(units),
       sum(gross_cents), sum(discount_cents), sum(shipping_cents), sum(refunded_cents), sum(new_customers)
  from (select store_id, created_at as at, 1 as created, (completed_at is not null)::int as converted,
               0 as completed, 0 as orders, 0 as units, 0 as gross_cents, 0 as discount_cents,
               0 as shipping_cents, 0 as refunded_cents, 0 as new_customers
          from "order"
         union all
        select store_id, completed_at, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0
          from "order" where completed_at is not null
         union all
        select o.store_id, o.paid_at, 0, 0, 0, 1,
               (select sum(i.quantity) from order_item i where i.store_id = o.store_id and i.order_id = o.id),
               o.subtotal_cents, o.discount_cents, o.shipping_cents, 0, 0
          from "order" o where o.paid_at is not null
         union all
        select store_id, created_at, 0, 0, 0, 0, 0, 0, 0, 0, amount_cents, 0
          from refund where of_sale
         union all
        select store_id, first_order_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
          from customer where first_order_at is not null) s
 group by 1, 2;

insert into sales_day_part (store_id, day, kind, name, orders, gross_cents)
select o.store_id, utc_day(o.paid_at), p.kind, coalesce(p.name, ''), count(*), sum(o.subtotal_cents)
  from "order" o
 cross join lateral (values ('payment_method', o.payment_method), ('country', o.customer_country)) p(kind, name)
 where o.paid_at is not null
 group by 1, 2, 3, 4;

insert into sales_product_day (store_id, product_id, day, units, gross_cents)
select o.store_id, i.product_id, utc_day(o.paid_at), sum(i.quantity), sum(i.unit_price_cents * i.quantity)
  from "order" o
  join order_item i on i.store_id = o.store_id and i.order_id = o.id
 where o.paid_at is not null
 group by 1, 2, 3;

insert into sales_product (store_id, product_id, gross_cents)
select store_id, product_id, sum(gross_cents) from sales_product_day group by 1, 2;
