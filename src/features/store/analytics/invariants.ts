import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

const PARTS = sql`(values ('payment_method', payment_method), ('country', country)) p(kind, name)`

const HAS_DIFFERENCE = sql`
  (sum(created), sum(converted), sum(completed), sum(orders), sum(units), sum(gross_cents),
   sum(discount_cents), sum(shipping_cents), sum(refunded_cents), sum(new_customers))
  <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`

export const salesInvariants: readonly Invariant[] = [
  invariantOf(
    'sales_of_quarters',
    'The sales of a quarter of an hour equal the sums of its orders, refunds and new customers.',
    sql`
      select store_id, at
        from (select store_id, quarter as at, created, converted, completed, orders, units, gross_cents,
                     discount_cents, shipping_cents, refunded_cents, new_customers
                from sales_quarter
               union all
              select store_id, quarter_of(at), created, 0, (completed_of is not null)::int,
                     (order_id is not null)::int, units, gross_cents, discount_cents, shipping_cents,
                     refunded_cents, new_customers
                from sales_delta
               union all
              select store_id, quarter_of(completed_of), 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
                from sales_delta where completed_of is not null
               union all
              select store_id, quarter_of(created_at), -1, -(completed_at is not null)::int,
                     0, 0, 0, 0, 0, 0, 0, 0
                from "order"
               union all
              select store_id, quarter_of(completed_at), 0, 0, -1, 0, 0, 0, 0, 0, 0, 0
                from "order" where completed_at is not null
               union all
              select o.store_id, quarter_of(o.paid_at), 0, 0, 0, -1, -sum(i.quantity), -o.subtotal_cents,
                     -o.discount_cents, -o.shipping_cents, 0, 0
                from "order" o
                join order_item i on i.store_id = o.store_id and i.order_id = o.id
               where o.paid_at is not null
               group by o.store_id, o.id
               union all
              select store_id, quarter_of(created_at), 0, 0, 0, 0, 0, 0, 0, 0, -amount_cents, 0
                from refund where of_sale
               union all
              select store_id, quarter_of(first_order_at), 0, 0, 0, 0, 0, 0, 0, 0, 0, -1
                from customer where first_order_at is not null) s
       group by store_id, at
      having ${HAS_DIFFERENCE}`,
  ),
  invariantOf(
    'sales_of_days',
    'The sales of a UTC day equal the sums of its quarters of an hour.',
    sql`
      select store_id, day
        from (select * from sales_day
               union all
              select store_id, utc_day(quarter), -created, -converted, -completed, -orders, -units,
                     -gross_cents, -discount_cents, -shipping_cents, -refunded_cents, -new_customers
                from sales_quarter) s
       group by store_id, day
      having ${HAS_DIFFERENCE}`,
  ),
  invariantOf(
    'sales_of_parts',
    'The sales of a day by payment method and country equal the sums of its paid orders.',
    sql`
      select store_id, day, kind, name
        from (select store_id, day, kind, name, orders, gross_cents
                from sales_day_part
               union all
              select store_id, utc_day(at), p.kind, coalesce(p.name, ''), 1, gross_cents
                from sales_delta cross join lateral ${PARTS}
               where order_id is not null
               union all
              select store_id, utc_day(paid_at), p.kind, coalesce(p.name, ''), -1, -subtotal_cents
                from (select *, customer_country as country from "order") o cross join lateral ${PARTS}
               where paid_at is not null) s
       group by store_id, day, kind, name
      having (sum(orders), sum(gross_cents)) <> (0, 0)`,
  ),
  invariantOf(
    'sales_of_products',
    'The sales of a product on a day equal the sums of its items in paid orders, and the total of a product equals the sum of its days.',
    sql`
      select store_id, product_id, day
        from (select store_id, product_id, day, units, gross_cents
                from sales_product_day
               union all
              select i.store_id, i.product_id, utc_day(d.at), i.quantity, i.unit_price_cents * i.quantity
                from sales_delta d
                join order_item i on i.store_id = d.store_id and i.order_id = d.order_id
               union all
              select i.store_id, i.product_id, utc_day(o.paid_at), -i.quantity,
                     -i.unit_price_cents * i.quantity
                from "order" o
                join order_item i on i.store_id = o.store_id and i.order_id = o.id
               where o.paid_at is not null) s
       group by store_id, product_id, day
      having (sum(units), sum(gross_cents)) <> (0, 0)
       union all
      select store_id, product_id, null
        from (select store_id, product_id, gross_cents from sales_product
               union all
              select store_id, product_id, -gross_cents from sales_product_day) s
       group by store_id, product_id
      having sum(gross_cents) <> 0`,
  ),
  invariantOf(
    'refunds_of_sales',
    'A refund reduces the sales if and only if its order had been paid in full.',
    sql`
      select r.store_id, r.id
        from refund r
        join "order" o on o.store_id = r.store_id and o.id = r.order_id
       where r.of_sale and o.paid_at is null
          or not r.of_sale and o.paid_at < r.created_at`,
  ),
]
