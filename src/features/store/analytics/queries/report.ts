import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../../db/database.ts'
import type { Period } from '../periods.rules.ts'
import type { DaySales } from '../sales.rules.ts'
import { COUNTERS, countersOf, partsOf, productsOf } from './deltas.ts'

/** The moments at which a period begins and ends, the end excluded, with the whole UTC days next to them. */
export interface Span {
  storeId: number
  begin: string
  end: string
  /** The midnights in UTC that are nearest to `begin` and `end`. */
  first: string
  last: string
}

const nearestMidnight = (moment: RawBuilder<unknown>) =>
  sql`date_bin('1 day', ${moment} + interval '12 hours', '2000-01-01T00:00:00Z')`

/** Returns the span of a period. Time zones and their clock changes are those of the database. */
export async function selectSpan(
  db: Db,
  storeId: number,
  { from, to }: Period,
  zone: string,
): Promise<Span> {
  const { rows } = await sql<Omit<Span, 'storeId'>>`
    select p.begin, p."end", ${nearestMidnight(sql`p.begin`)} as first,
           ${nearestMidnight(sql`p."end"`)} as last
      from (select start_of_day(${from}::date, ${zone}) as begin,
                   start_of_day(${to}::date + 1, ${zone}) as "end") p`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A period has no moments.')
  return { storeId, ...row }
}

/** Changes of a store that no job has added yet. */
const pending = (storeId: number) => sql`(select * from sales_delta where store_id = ${storeId})`

/**
 * Returns the sales of each day of a period that had any. A day has the sums of the UTC days between the
 * midnights next to its begin and its end, plus or less the quarters between these midnights and its own.
 */
export async function selectDays(
  db: Db,
  { storeId, begin, end, first, last }: Span,
  { from, to, zone }: Period & { zone: string },
): Promise<DaySales[]> {
  const names = sql.raw(COUNTERS.join(', '))
  const sums = sql.raw(COUNTERS.map((name) => `sum(${name})::bigint as ${name}`).join(', '))
  const signed = sql.raw(COUNTERS.map((name) => `p.sign * s.sign * p.${name}`).join(', '))
  const { rows } = await sql<DaySales>`-- planned anew
    with edge as materialized (
      select e.*, utc_day(e.midnight) as first,
             lead(utc_day(e.midnight)) over (order by e.day) - utc_day(e.midnight) as days
        from (select d.day, d.at, ${nearestMidnight(sql`d.at`)} as midnight
                from (select ${from}::date + n as day, start_of_day(${from}::date + n, ${zone}) as at
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
    select day::text as day, ${sums}
      from (select e.day, ${names}
              from edge e
             cross join generate_series(0, e.days - 1) n
              join sales_day d
                on d.store_id = ${storeId} and d.day = e.first + n
               and d.day >= utc_day(${first}) and d.day < utc_day(${last})
             union all
            select p.day + s.shift, ${signed}
              from part p
             cross join (values (0, 1), (-1, -1)) s(shift, sign)
             union all
            select (at at time zone ${zone})::date, ${names}
              from (${countersOf(pending(storeId))}) d
             where at >= ${begin} and at < ${end}) s
     where day between ${from}::date and ${to}::date
     group by day`.execute(db)
  return rows
}

/** The times between a moment and its nearest midnight, with what the orders of these times count. */
function edgesOf({ begin, end, first, last }: Span) {
  const edges = [
    { since: begin, until: first, sign: 1 },
    { since: first, until: begin, sign: -1 },
    { since: last, until: end, sign: 1 },
    { since: end, until: last, sign: -1 },
  ]
  return edges.filter(({ since, until }) => since < until)
}

/**
 * The orders of a span that its whole UTC days lack, with the sign 1, and those that they have too much, with
 * the sign -1.
 */
function ordersAtEdges(span: Span): RawBuilder<unknown> {
  const edges = edgesOf(span).map(
    ({ since, until, sign }) => sql`
      select *, ${sql.lit(sign)} as sign
        from "order"
       where store_id = ${span.storeId} and paid_at >= ${since} and paid_at < ${until}`,
  )
  const none = sql`select *, 0 as sign from "order" where false`
  return edges.length === 0 ? none : sql.join(edges, sql` union all `)
}

export interface PartSales {
  kind: 'payment_method' | 'country'
  /** '' for orders without one. */
  name: string
  orders: number
  gross_cents: number
}

/** Paid orders of a span by method and by country. */
export async function selectParts(db: Db, span: Span): Promise<PartSales[]> {
  const { storeId, first, last } = span
  const { rows } = await sql<PartSales>`-- planned anew
    select kind, name, sum(orders)::bigint as orders, sum(gross_cents)::bigint as gross_cents
      from (select kind, name, orders, gross_cents
              from sales_day_part
             where store_id = ${storeId} and day >= utc_day(${first}) and day < utc_day(${last})
             union all
            select kind, name, 1, gross_cents
              from (${partsOf(pending(storeId))}) d
             where at >= ${first} and at < ${last}
             union all
            select p.kind, coalesce(p.name, ''), o.sign, o.sign * o.subtotal_cents
              from (${ordersAtEdges(span)}) o
             cross join lateral (values ('payment_method', o.payment_method),
                                        ('country', o.customer_country)) p(kind, name)) s
     group by kind, name
    having sum(orders) <> 0
     order by gross_cents desc, orders desc, name`.execute(db)
  return rows
}

export interface ProductSales {
  id: number
  units: number
  gross_cents: number
}

export interface PendingProduct extends ProductSales {
  /** Sales that no job has added yet, over all periods. */
  pending_cents: number
  /** False if the product is not in `sales_product` yet. */
  listed: boolean
}

/** Products whose sales in a span differ from those of its whole days, or that no job has added yet. */
export async function selectPendingProducts(db: Db, span: Span): Promise<PendingProduct[]> {
  const { storeId, first, last } = span
  const { rows } = await sql<PendingProduct>`-- planned anew
    select product_id as id, sum(units)::bigint as units, sum(gross_cents)::bigint as gross_cents,
           sum(pending_cents)::bigint as pending_cents,
           exists (select from sales_product p
                    where p.store_id = ${storeId} and p.product_id = s.product_id) as listed
      from (select product_id, case when d.counts then units else 0 end as units,
                   case when d.counts then gross_cents else 0 end as gross_cents,
                   gross_cents as pending_cents
              from (select p.*, at >= ${first} and at < ${last} as counts
                      from (${productsOf(pending(storeId))}) p) d
             union all
            select i.product_id, o.sign * i.quantity, o.sign * i.unit_price_cents * i.quantity, 0
              from (${ordersAtEdges(span)}) o
              join order_item i on i.store_id = o.store_id and i.order_id = o.id) s
     group by product_id`.execute(db)
  return rows
}

/** The position at which the last page of a ranking ended. */
export interface Cursor {
  bound: number
  id: number
}

/** Returns products by their total sales, with their sales on the whole days of a span. */
export async function selectBestProducts(
  db: Db,
  { storeId, first, last }: Span,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<(ProductSales & { bound: number })[]> {
  const rest = after
    ? sql`and (p.gross_cents, p.product_id) < (${after.bound}, ${after.id})`
    : sql``
  const { rows } = await sql<ProductSales & { bound: number }>`-- planned anew
    select p.product_id as id, p.gross_cents as bound, coalesce(d.units, 0)::bigint as units,
           coalesce(d.gross_cents, 0)::bigint as gross_cents
      from (select p.product_id, p.gross_cents
              from sales_product p
             where p.store_id = ${storeId} ${rest}
             order by p.gross_cents desc, p.product_id desc
             limit ${limit}) p
      left join lateral (
           select sum(d.units) as units, sum(d.gross_cents) as gross_cents
             from sales_product_day d
            where d.store_id = ${storeId} and d.product_id = p.product_id
              and d.day >= utc_day(${first}) and d.day < utc_day(${last})) d on true
     order by p.gross_cents desc, p.product_id desc`.execute(db)
  return rows
}

export interface ProductName {
  id: number
  product_id: string
  name: string
}

export async function selectProductNames(
  db: Db,
  storeId: number,
  ids: readonly number[],
): Promise<ProductName[]> {
  const { rows } = await sql<ProductName>`
    select id, hash_id as product_id, name
      from product
     where store_id = ${storeId} and id = any(${ids}::bigint[])`.execute(db)
  return rows
}

export interface CustomerSales {
  id: number
  email: string
  name: string | null
  orders: number
  spent_cents: number
}

const SPENT = sql`count(*) as orders, coalesce(sum(o.paid_cents - o.refunded_cents), 0)::bigint as spent_cents`

/** Sums of 100,000 customers stay in memory. */
const SUMS_IN_MEMORY = sql`select set_config('work_mem', '32MB', true)`

/** Returns the customers who spent most in a span, and at least so much, from all of its orders. */
export function selectSpenders(
  db: Db,
  { storeId, begin, end }: Span,
  { least, limit }: { least: number; limit: number },
): Promise<CustomerSales[]> {
  return inTransaction(db, async (tx) => {
    await SUMS_IN_MEMORY.execute(tx)
    // Floats are added faster than the numeric sums of bigint, and exactly below 2^53.
    const { rows } = await sql<CustomerSales>`-- planned anew
      select s.id, c.email, c.name, s.orders, s.spent_cents::bigint as spent_cents
        from (select o.customer_id as id, count(*) as orders,
                     sum((o.paid_cents - o.refunded_cents)::float8) as spent_cents
                from "order" o
               where o.store_id = ${storeId} and o.paid_at >= ${begin} and o.paid_at < ${end}
               group by o.customer_id
              having sum((o.paid_cents - o.refunded_cents)::float8) >= ${least}
               order by spent_cents desc, id desc
               limit ${limit}) s
        join customer c on c.store_id = ${storeId} and c.id = s.id
       order by s.spent_cents desc, s.id desc`.execute(tx)
    return rows
  })
}

/** Returns customers by their total spending, with their spending in a span. */
export async function selectBestCustomers(
  db: Db,
  { storeId, begin, end }: Span,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<(CustomerSales & { bound: number })[]> {
  const rest = after ? sql`and (c.total_spent_cents, c.id) < (${after.bound}, ${after.id})` : sql``
  const { rows } = await sql<CustomerSales & { bound: number }>`-- planned anew
    select c.id, c.email, c.name, c.total_spent_cents as bound, o.orders, o.spent_cents
      from (select c.id, c.email, c.name, c.total_spent_cents
              from customer c
             where c.store_id = ${storeId} ${rest}
             order by c.total_spent_cents desc, c.id desc
             limit ${limit}) c
      left join lateral (
           select ${SPENT}
             from "order" o
            where o.store_id = ${storeId} and o.customer_id = c.id and o.created_at < ${end}
              and o.paid_at >= ${begin} and o.paid_at < ${end}) o on true
     order by c.total_spent_cents desc, c.id desc`.execute(db)
  return rows
}

/**
 * Counts customers who paid an order in a span, and one before it. If nobody paid after the span, their last
 * orders tell. Otherwise they are the customers of its orders, less those whose first order is among them.
 */
export async function countReturning(db: Db, { storeId, begin, end }: Span): Promise<number> {
  const { rows } = await sql<{ count: number }>`-- planned anew
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
           end as count`.execute(db)
  return rows[0]?.count ?? 0
}
