import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { allRows, REPLANNED } from '../../../../db/rows.ts'
import { REFUNDED_PRODUCTS_MAX } from '../dashboard-schema.ts'
import type { Span } from './report.ts'

interface RefundPart {
  kind: 'day' | 'reason' | 'payment_method' | 'product'
  /** A day, a reason, a payment method or a product hash. Null for orders without a payment method. */
  name: string | null
  /** The name of a product; null for other kinds. */
  product_name: string | null
  refunds_count: number
  refunded_cents: number
}

/**
 * Returns the refunds of a span by day, reason, payment method and product, the highest amount first. A refund
 * belongs to an order, so its amount is divided among the order's items by their totals. Each refund, and each
 * order that was refunded, is read once.
 */
export const selectRefundParts = (db: Db, { storeId, begin, end }: Span, timeZone: string) =>
  allRows<RefundPart>(db)`${REPLANNED}
    with refunds as materialized (
      select order_id, reason, (created_at at time zone ${timeZone})::date::text as day, amount_cents
        from refund
       where store_id = ${storeId} and created_at >= ${begin} and created_at < ${end}
         and amount_cents > 0 and of_sale
    ), refunded_order as materialized (
      select order_id, count(*) as refunds_count, sum(amount_cents) as cents
        from refunds
       group by order_id
    ), item as materialized (
      select i.product_id, r.order_id, r.refunds_count, r.cents,
             case sum(i.total_cents) over order_items when 0 then 1.0 / count(*) over order_items
                  else i.total_cents::numeric / sum(i.total_cents) over order_items end as share
        from refunded_order r
        join order_item i on i.store_id = ${storeId} and i.order_id = r.order_id
      window order_items as (partition by i.order_id)
    ), product_share as (
      select product_id, order_id, max(refunds_count) as refunds_count, sum(cents * share) as cents
        from item
       group by product_id, order_id
    ), product_sum as (
      select product_id, sum(refunds_count)::bigint as refunds_count, round(sum(cents))::bigint as refunded_cents
        from product_share
       group by product_id
       order by refunded_cents desc, product_id
       limit ${sql.lit(REFUNDED_PRODUCTS_MAX)}
    ), part as (
      select 'day' as kind, day as name, null as product_name, count(*) as refunds_count,
             sum(amount_cents)::bigint as refunded_cents
        from refunds
       group by day
       union all
      select 'reason', reason, null, count(*), sum(amount_cents)::bigint
        from refunds
       group by reason
       union all
      select 'payment_method', o.payment_method, null, sum(r.refunds_count)::bigint, sum(r.cents)::bigint
        from refunded_order r
        join "order" o on o.store_id = ${storeId} and o.id = r.order_id
       group by o.payment_method
       union all
      select 'product', p.hash_id, p.name, s.refunds_count, s.refunded_cents
        from product_sum s
        join product p on p.store_id = ${storeId} and p.id = s.product_id
    )
    select kind, name, product_name, refunds_count, refunded_cents
      from part
     order by refunded_cents desc, refunds_count desc, name`
