import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import type { Period } from '../periods.rules.ts'
import type { DaySales } from '../sales.rules.ts'
import { COUNTERS, countersOf, partsOf, productsOf } from './deltas.ts'

/** The moments at which a period begins and ends, the end excluded, with the whole UTC days in between. */
export interface Span {
  storeId: number
  begin: string
  end: string
  /** Moments at which a UTC day begins; `first` is after `last` if there is no such moment. */
  first: string
  last: string
}

/** Returns the span of a period. Time zones and their clock changes are those of the database. */
export async function selectSpan(
  db: Db,
  storeId: number,
  { from, to }: Period,
  zone: string,
): Promise<Span> {
  const { rows } = await sql<Omit<Span, 'storeId'>>`
    select p.begin, p."end",
           date_bin('1 day', p.begin + interval '1 day' - interval '1 ms', '2000-01-01T00:00:00Z') as first,
           date_bin('1 day', p."end", '2000-01-01T00:00:00Z') as last
      from (select ${from}::date::timestamp at time zone ${zone} as begin,
                   (${to}::date + 1)::timestamp at time zone ${zone} as "end") p`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A period has no moments.')
  return { storeId, ...row }
}

/** Changes of a store that no job has added yet. */
const pending = (storeId: number) => sql`(select * from sales_delta where store_id = ${storeId})`

/** Sales of each day of a span that had any. */
export async function selectDays(
  db: Db,
  { storeId, begin, end }: Span,
  zone: string,
): Promise<DaySales[]> {
  const names = sql.raw(COUNTERS.join(', '))
  const sums = sql.raw(COUNTERS.map((name) => `sum(${name})::bigint as ${name}`).join(', '))
  const { rows } = await sql<DaySales>`-- planned anew
    select ((at at time zone ${zone})::date)::text as day, ${sums}
      from (select quarter as at, ${names}
              from sales_quarter
             where store_id = ${storeId} and quarter >= ${begin} and quarter < ${end}
             union all
            select at, ${names}
              from (${countersOf(pending(storeId))}) d
             where at >= ${begin} and at < ${end}) s
     group by 1`.execute(db)
  return rows
}

/** True for moments of a span that lie outside its whole UTC days. */
const atEdges = (at: RawBuilder<unknown>, { begin, end, first, last }: Span) =>
  first > last
    ? sql`(${at} >= ${begin} and ${at} < ${end})`
    : sql`(${at} >= ${begin} and ${at} < ${first} or ${at} >= ${last} and ${at} < ${end})`

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
            select p.kind, coalesce(p.name, ''), 1, o.subtotal_cents
              from "order" o
             cross join lateral (values ('payment_method', o.payment_method),
                                        ('country', o.customer_country)) p(kind, name)
             where o.store_id = ${storeId} and ${atEdges(sql`o.paid_at`, span)}) s
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

/** Products sold in a span outside its whole days, or in orders that no job has added yet. */
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
            select i.product_id, i.quantity, i.unit_price_cents * i.quantity, 0
              from "order" o
              join order_item i on i.store_id = o.store_id and i.order_id = o.id
             where o.store_id = ${storeId} and ${atEdges(sql`o.paid_at`, span)}) s
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

/** Returns the customers who spent most in a span with few orders. */
export async function selectSpenders(
  db: Db,
  { storeId, begin, end }: Span,
  limit: number,
): Promise<CustomerSales[]> {
  const { rows } = await sql<CustomerSales>`-- planned anew
    select s.id, c.email, c.name, s.orders, s.spent_cents
      from (select o.customer_id as id, ${SPENT}
              from "order" o
             where o.store_id = ${storeId} and o.paid_at >= ${begin} and o.paid_at < ${end}
             group by o.customer_id
             order by spent_cents desc, id desc
             limit ${limit}) s
      join customer c on c.store_id = ${storeId} and c.id = s.id
     order by s.spent_cents desc, s.id desc`.execute(db)
  return rows
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

/** Counts customers who paid an order in a span, and one before it. */
export async function countReturning(db: Db, { storeId, begin, end }: Span): Promise<number> {
  const { rows } = await sql<{ count: number }>`-- planned anew
    select count(*) as count
      from customer c
     where c.store_id = ${storeId} and c.first_order_at < ${begin} and c.last_order_at >= ${begin}
       and (c.last_order_at < ${end}
            or c.id in (select o.customer_id
                          from "order" o
                         where o.store_id = ${storeId} and o.paid_at >= ${begin} and o.paid_at < ${end}))`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
