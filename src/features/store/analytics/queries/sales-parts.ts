import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { allRows, REPLANNED } from '../../../../db/rows.ts'
import { COUPONS_MAX } from '../dashboard-schema.ts'
import type { Span } from './report.ts'

interface PaidPart {
  kind: 'source' | 'coupon'
  name: string
  orders_count: number
  gross_cents: number
  discount_cents: number
}

/** Returns the paid orders of a span by source and by coupon. Each order is read once. */
export const selectPaidParts = (db: Db, { storeId, begin, end }: Span) =>
  allRows<PaidPart>(db)`${REPLANNED}
    with paid as materialized (
      select source, upper(coupon ->> 'code') as code, count(*) as orders_count,
             sum(subtotal_cents)::bigint as gross_cents,
             sum(discount_cents)::bigint as discount_cents
        from "order"
       where store_id = ${storeId} and paid_at >= ${begin} and paid_at < ${end}
       group by 1, 2
    ), part as (
      select 'source' as kind, source as name, sum(orders_count)::bigint as orders_count,
             sum(gross_cents)::bigint as gross_cents, sum(discount_cents)::bigint as discount_cents
        from paid
       group by source
       union all
     (select 'coupon', code, sum(orders_count)::bigint, sum(gross_cents)::bigint,
             sum(discount_cents)::bigint
        from paid
       where code is not null
       group by code
       order by 4 desc, 2
       limit ${sql.lit(COUPONS_MAX)})
    )
    select * from part order by gross_cents desc, name`
