import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { allRows, REPLANNED } from '../../../../db/rows.ts'
import { countersOf, pendingDeltas } from './deltas.ts'
import type { Span } from './report.ts'

interface HourSales {
  /** The hour of the day in the time zone, 0 to 23. */
  hour: number
  orders_count: number
  net_cents: bigint
  /** The part of `net_cents` from the quarters of an hour that began before `until`. */
  until_cents: bigint
}

/** Returns the sales of a day by the hour of a time zone. Hours without sales are omitted. */
export async function selectHours(
  db: Db,
  { storeId, begin, end }: Pick<Span, 'storeId' | 'begin' | 'end'>,
  { timeZone, until }: { timeZone: string; until: string },
): Promise<HourSales[]> {
  const net = sql`gross_cents - discount_cents + shipping_cents - refunded_cents`
  const rows = await allRows<
    Record<'net_cents' | 'until_cents', string> & Pick<HourSales, 'hour' | 'orders_count'>
  >(db)`${REPLANNED}
    select extract(hour from at at time zone ${timeZone})::int as hour,
           sum(orders)::bigint as orders_count, sum(${net})::text as net_cents,
           coalesce(sum(${net}) filter (where at < ${until}::timestamptz), 0)::text as until_cents
      from (select quarter as at, orders, gross_cents, discount_cents, shipping_cents, refunded_cents
              from sales_quarter
             where store_id = ${storeId} and quarter >= ${begin} and quarter < ${end}
             union all
            select quarter_of(at), orders, gross_cents, discount_cents, shipping_cents, refunded_cents
              from (${countersOf(pendingDeltas(storeId))}) d
             where at >= ${begin} and at < ${end}) s
     group by 1
    having sum(orders) <> 0 or sum(${net}) <> 0`
  return rows.map(({ net_cents, until_cents, ...row }) => ({
    ...row,
    net_cents: BigInt(net_cents),
    until_cents: BigInt(until_cents),
  }))
}
