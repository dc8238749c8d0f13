import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../../db/database.ts'
import { allRows, onlyRow, onlyValue, REPLANNED } from '../../../../db/rows.ts'
import type { Period } from '../periods.rules.ts'
import type { DaySales, SalesCounters } from '../sales.rules.ts'
import { COUNTERS, countersOf, partsOf, pendingDeltas, productsOf } from './deltas.ts'

/** The moments at which a period begins and ends, and the nearest whole UTC days. `end` is exclusive. */
export interface Span {
  storeId: number
  begin: string
  end: string
  /** The UTC midnights that are nearest to `begin` and `end`. */
  first: string
  last: string
}

const nearestMidnight = (moment: RawBuilder<unknown>) =>
  sql`date_bin('1 day', ${moment} + interval '12 hours', '2000-01-01T00:00:00Z')`

/** Returns the span of a period, computed with the time zone rules of the database. */
export async function selectSpan(
  db: Db,
  storeId: number,
  { from, to }: Period,
  timeZone: string,
): Promise<Span> {
  const row = await onlyRow<Omit<Span, 'storeId'>>(db)`
    select p.begin, p."end", ${nearestMidnight(sql`p.begin`)} as first,
           ${nearestMidnight(sql`p."end"`)} as last
      from (select start_of_day(${from}::date, ${timeZone}) as begin,
                   start_of_day(${to}::date + 1, ${timeZone}) as "end") p`
  return { storeId, ...row }
}

/**
 * Returns the sales of each day of a period; days without sales are omitted. A day of the store's time zone
 * is the sum of the UTC days between the UTC midnights nearest to its begin and end, plus or minus the
 * quarters of an hour between these midnights and its own.
 */
export async function selectDays(
  db: Db,
  { storeId, begin, end, first, last }: Span,
  { from, to, timeZone }: Period & { timeZone: string },
): Promise<DaySales[]> {
  const names = sql.raw(COUNTERS.join(', '))
  const sums = sql.raw(COUNTERS.map((name) => `sum(${name}) as ${name}`).join(', '))
  // Text, because a number is cut when it is read, and a sum of cut numbers is wrong.
  const texts = sql.raw(COUNTERS.map((name) => `sum(${name})::text as ${name}`).join(', '))
  const signedCounters = sql.raw(COUNTERS.map((name) => `p.sign * s.sign * p.${name}`).join(', '))
  const rows = await allRows<Record<keyof DaySales, string>>(db)`${REPLANNED}
    with edge as materialized (
      select e.*, utc_day(e.midnight) as first,
             lead(utc_day(e.midnight)) over (order by e.day) - utc_day(e.midnight) as days
        from (select d.day, d.at, ${nearestMidnight(sql`d.at`)} as midnight
                from (select ${from}::date + n as day, start_of_day(${from}::date + n, ${timeZone}) as at
                        from generate_series(0, ${to}::date - ${from}::date + 1) n) d) e
    ), part as materialized (
      select e.day, case when e.at < e.midnight then 1 else -1 end as sign, q.*
        from edge e
       cross join lateral (
             select ${sums}
               from sales_quarter
              where store_id = ${storeId} and quarter >= least(e.at, e.midnight)
                and quarter < greatest(e.at, e.midnight)) q
       where e.at <> e.midnight and q.created is not null
    )
    select day::text as day, ${texts}
      from (select e.day, ${names}
              from edge e
             cross join generate_series(0, e.days - 1) n
              join sales_day d
                on d.store_id = ${storeId} and d.day = e.first + n
               and d.day >= utc_day(${first}) and d.day < utc_day(${last})
             union all
            -- Quarters that are added to a day are subtracted from the day before, and vice versa.
            select p.day + s.shift, ${signedCounters}
              from part p
             cross join (values (0, 1), (-1, -1)) s(shift, sign)
             union all
            select (at at time zone ${timeZone})::date, ${names}
              from (${countersOf(pendingDeltas(storeId))}) d
             where at >= ${begin} and at < ${end}) s
     where day between ${from}::date and ${to}::date
     group by day`
  return rows.map(({ day, ...counters }) => {
    const sums = Object.entries(counters).map(([name, text]) => [name, BigInt(text)])
    return { day, ...(Object.fromEntries(sums) as SalesCounters) }
  })
}

/**
 * Selects the orders by which a span differs from its whole UTC days: with the sign 1 if only the span has
 * them, and -1 if only the UTC days have them.
 */
function ordersAtEdges({ storeId, begin, end, first, last }: Span): RawBuilder<unknown> {
  const edges = [
    { since: begin, until: first, sign: 1 },
    { since: first, until: begin, sign: -1 },
    { since: last, until: end, sign: 1 },
    { since: end, until: last, sign: -1 },
  ].filter(({ since, until }) => since < until)
  if (edges.length === 0) return sql`select *, 0 as sign from "order" where false`
  const selects = edges.map(
    ({ since, until, sign }) => sql`
      select *, ${sql.lit(sign)} as sign
        from "order"
       where store_id = ${storeId} and paid_at >= ${since} and paid_at < ${until}`,
  )
  return sql.join(selects, sql` union all `)
}

export interface GroupSales {
  kind: 'payment_method' | 'country'
  /** Empty for orders without a payment method or country. */
  name: string
  orders: number
  gross_cents: number
}

/** Returns the paid orders of a span by payment method and by country. */
export function selectSalesByMethodAndCountry(db: Db, span: Span) {
  const { storeId, first, last } = span
  return allRows<GroupSales>(db)`${REPLANNED}
    select kind, name, sum(orders)::bigint as orders, sum(gross_cents)::bigint as gross_cents
      from (select kind, name, orders, gross_cents
              from sales_day_part
             where store_id = ${storeId} and day >= utc_day(${first}) and day < utc_day(${last})
             union all
            select kind, name, 1, gross_cents
              from (${partsOf(pendingDeltas(storeId))}) d
             where at >= ${first} and at < ${last}
             union all
            select p.kind, coalesce(p.name, ''), o.sign, o.sign * o.subtotal_cents
              from (${ordersAtEdges(span)}) o
             cross join lateral (values ('payment_method', o.payment_method),
                                        ('country', o.customer_country)) p(kind, name)) s
     group by kind, name
    having sum(orders) <> 0
     order by gross_cents desc, orders desc, name`
}

interface ProductSales {
  id: number
  units: number
  gross_cents: number
}

interface PendingProduct extends ProductSales {
  /** The gross of deltas that are not folded yet, of all periods. */
  pending_cents: number
  /** False if the product is not in `sales_product` yet. */
  is_listed: boolean
}

/** Returns the products that have sales at the edges of a span or in deltas that are not folded yet. */
export function selectPendingProducts(db: Db, span: Span) {
  const { storeId, first, last } = span
  return allRows<PendingProduct>(db)`${REPLANNED}
    select product_id as id, sum(units)::bigint as units, sum(gross_cents)::bigint as gross_cents,
           sum(pending_cents)::bigint as pending_cents,
           exists (select from sales_product p
                    where p.store_id = ${storeId} and p.product_id = s.product_id) as is_listed
      from (select product_id, case when d.in_span then units else 0 end as units,
                   case when d.in_span then gross_cents else 0 end as gross_cents,
                   gross_cents as pending_cents
              from (select p.*, at >= ${first} and at < ${last} as in_span
                      from (${productsOf(pendingDeltas(storeId))}) p) d
             union all
            select i.product_id, o.sign * i.quantity, o.sign * i.unit_price_cents * i.quantity, 0
              from (${ordersAtEdges(span)}) o
              join order_item i on i.store_id = o.store_id and i.order_id = o.id) s
     group by product_id`
}

/** The position at which the previous page of a ranking ended. */
export interface Cursor {
  /** The total sales of the last product, or the total spending of the last customer. */
  bound: number
  id: number
}

/** Returns products by their total sales, with their sales on the whole UTC days of a span. */
export function selectBestProducts(
  db: Db,
  { storeId, first, last }: Span,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  const afterCursor = after
    ? sql`and (p.gross_cents, p.product_id) < (${after.bound}, ${after.id})`
    : sql``
  return allRows<ProductSales & { bound: number }>(db)`${REPLANNED}
    select p.product_id as id, p.gross_cents as bound, coalesce(d.units, 0)::bigint as units,
           coalesce(d.gross_cents, 0)::bigint as gross_cents
      from (select p.product_id, p.gross_cents
              from sales_product p
             where p.store_id = ${storeId} ${afterCursor}
             order by p.gross_cents desc, p.product_id desc
             limit ${limit}) p
      left join lateral (
           select sum(d.units) as units, sum(d.gross_cents) as gross_cents
             from sales_product_day d
            where d.store_id = ${storeId} and d.product_id = p.product_id
              and d.day >= utc_day(${first}) and d.day < utc_day(${last})) d on true
     order by p.gross_cents desc, p.product_id desc`
}

interface ProductName {
  id: number
  product_id: string
  name: string
}

export const selectProductNames = (db: Db, storeId: number, ids: readonly number[]) =>
  allRows<ProductName>(db)`
    select id, hash_id as product_id, name
      from product
     where store_id = ${storeId} and id = any(${ids}::bigint[])`

export interface CustomerSales {
  id: number
  email: string
  name: string | null
  orders: number
  spent_cents: number
}

/** Allows enough memory to sum the orders of 100,000 customers without temporary files. */
const RAISE_WORK_MEM = sql`select set_config('work_mem', '32MB', true)`

/** Returns the customers who spent most in a span, and at least `min_cents`. Reads all orders of the span. */
export function selectSpenders(
  db: Db,
  { storeId, begin, end }: Span,
  { min_cents, limit }: { min_cents: number; limit: number },
): Promise<CustomerSales[]> {
  return inTransaction(db, async (tx) => {
    await RAISE_WORK_MEM.execute(tx)
    // Sums of floats are faster than the numeric sums of bigint, and exact below 2^53.
    const { rows } = await sql<CustomerSales>`${REPLANNED}
      select s.id, c.email, c.name, s.orders, s.spent_cents::bigint as spent_cents
        from (select o.customer_id as id, count(*) as orders,
                     sum((o.paid_cents - o.refunded_cents)::float8) as spent_cents
                from "order" o
               where o.store_id = ${storeId} and o.paid_at >= ${begin} and o.paid_at < ${end}
               group by o.customer_id
              having sum((o.paid_cents - o.refunded_cents)::float8) >= ${min_cents}
               order by spent_cents desc, id desc
               limit ${limit}) s
        join customer c on c.store_id = ${storeId} and c.id = s.id
       order by s.spent_cents desc, s.id desc`.execute(tx)
    return rows
  })
}

/** Returns customers by their total spending, with their spending in a span. */
export function selectBestCustomers(
  db: Db,
  { storeId, begin, end }: Span,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  const afterCursor = after
    ? sql`and (c.total_spent_cents, c.id) < (${after.bound}, ${after.id})`
    : sql``
  return allRows<CustomerSales & { bound: number }>(db)`${REPLANNED}
    select c.id, c.email, c.name, c.total_spent_cents as bound, o.orders, o.spent_cents
      from (select c.id, c.email, c.name, c.total_spent_cents
              from customer c
             where c.store_id = ${storeId} ${afterCursor}
             order by c.total_spent_cents desc, c.id desc
             limit ${limit}) c
      left join lateral (
           select count(*) as orders,
                  coalesce(sum(o.paid_cents - o.refunded_cents), 0)::bigint as spent_cents
             from "order" o
            where o.store_id = ${storeId} and o.customer_id = c.id and o.created_at < ${end}
              and o.paid_at >= ${begin} and o.paid_at < ${end}) o on true
     order by c.total_spent_cents desc, c.id desc`
}

/**
 * Counts customers who paid an order in a span and another one before it. If nobody paid after the span, the
 * first and last orders of the customers suffice. Otherwise the customers with orders in the span are
 * counted, and those whose first order is in the span are subtracted.
 */
export const countReturningCustomers = (db: Db, { storeId, begin, end }: Span) =>
  onlyValue<number>(db)`${REPLANNED}
    select case when exists (select from customer where store_id = ${storeId} and last_order_at >= ${end})
           then (select count(distinct customer_id)
                   from "order"
                  where store_id = ${storeId} and paid_at >= ${begin} and paid_at < ${end})
                - (select count(*)
                     from customer
                    where store_id = ${storeId} and last_order_at >= ${begin}
                      and first_order_at >= ${begin} and first_order_at < ${end})
           else (select count(*)
                   from customer
                  where store_id = ${storeId} and last_order_at >= ${begin}
                    and first_order_at < ${begin})
           end as count`
