import { type RawBuilder, sql } from 'kysely'
import type { Db, Expression } from '../../../../db/database.ts'

/**
 * Parts of statements that change orders, refunds and customers. Each appends its change to the
 * sales in the same statement, so that an order needs no additional one. The named rows are those
 * that the statement wrote.
 */

/** Records orders that were created. */
export const ordersCreated = (orders: string): RawBuilder<unknown> => sql`
  insert into sales_delta (store_id, at, created)
  select store_id, created_at, 1 from ${sql.table(orders)}`

/** Records orders that were paid or completed, or both in one change. */
export function ordersChanged(
  orders: string,
  { paid, completed }: { paid: boolean; completed: boolean },
): RawBuilder<unknown> {
  const completion = completed ? sql`created_at` : sql`null::timestamptz`
  if (!paid) {
    return sql`
      insert into sales_delta (store_id, at, completed_of)
      select store_id, completed_at, ${completion} from ${sql.table(orders)}`
  }
  return sql`
    insert into sales_delta
           (store_id, at, completed_of, order_id, units, gross_cents, discount_cents, shipping_cents,
            payment_method, country)
    select store_id, paid_at, ${completion}, id,
           (select sum(i.quantity) from order_item i where i.store_id = s.store_id and i.order_id = s.id),
           subtotal_cents, discount_cents, shipping_cents, payment_method, customer_country
      from ${sql.table(orders)} s`
}

/** Records refunds of orders that were paid. */
export const refunded = (refunds: string): RawBuilder<unknown> => sql`
  insert into sales_delta (store_id, at, refunded_cents)
  select store_id, created_at, amount_cents from ${sql.table(refunds)} where of_sale`

/** Records first orders of customers from rows of (store_id, at, new_customers); -1 takes one back. */
export const customersCounted = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into sales_delta (store_id, at, new_customers) ${rows}`

/** The counters of a quarter, in the order of `countersOf`. */
export const COUNTERS = [
  'created',
  'converted',
  'completed',
  'orders',
  'units',
  'gross_cents',
  'discount_cents',
  'shipping_cents',
  'refunded_cents',
  'new_customers',
] as const
export type Counter = (typeof COUNTERS)[number]

/**
 * The changes of counters in deltas, each with its time. An order is converted in the quarter of
 * its creation.
 */
export const countersOf = (deltas: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select store_id, at, created, 0 as converted, (completed_of is not null)::int as completed,
         (order_id is not null)::int as orders, units, gross_cents, discount_cents, shipping_cents,
         refunded_cents, new_customers
    from ${deltas} d
   union all
  select store_id, completed_of, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
    from ${deltas} d where completed_of is not null`

/** The sales of paid orders in deltas, by payment method and by country. */
export const partsOf = (deltas: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select d.store_id, d.at, p.kind, coalesce(p.name, '') as name, d.gross_cents
    from ${deltas} d
   cross join lateral (values ('payment_method', d.payment_method), ('country', d.country)) p(kind, name)
   where d.order_id is not null`

/** The sales of paid orders in deltas, by product. */
export const productsOf = (deltas: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select d.store_id, d.at, i.product_id, i.quantity as units,
         i.unit_price_cents * i.quantity as gross_cents
    from ${deltas} d
    join order_item i on i.store_id = d.store_id and i.order_id = d.order_id`

const GONE = sql.table('gone')

/** Adds the oldest deltas to the sales, in the order of the keys, and returns their number. */
export async function foldDeltas(db: Db, limit: number): Promise<number> {
  const names = sql.raw(COUNTERS.join(', '))
  const sums = sql.raw(COUNTERS.map((name) => `sum(${name})`).join(', '))
  const added = sql.raw(COUNTERS.map((name) => `${name} = s.${name} + excluded.${name}`).join(', '))
  const { rows } = await sql<{ folded: number }>`-- planned anew
    with taken as materialized (
      select id from sales_delta order by id limit ${limit} for update skip locked
    ), gone as (
      delete from sales_delta d using taken t where d.id = t.id returning d.*
    ), quarters as (
      insert into sales_quarter as s (store_id, quarter, ${names})
      select store_id, quarter_of(at), ${sums}
        from (${countersOf(GONE)}) d
       group by 1, 2
       order by 1, 2
          on conflict (store_id, quarter) do update set ${added}
    ), parts as (
      insert into sales_day_part as s (store_id, day, kind, name, orders, gross_cents)
      select store_id, utc_day(at), kind, name, count(*), sum(gross_cents)
        from (${partsOf(GONE)}) d
       group by 1, 2, 3, 4
       order by 1, 2, 3, 4
          on conflict (store_id, day, kind, name) do update
         set orders = s.orders + excluded.orders, gross_cents = s.gross_cents + excluded.gross_cents
    ), line as materialized (
      ${productsOf(GONE)}
    ), days as (
      insert into sales_product_day as s (store_id, product_id, day, units, gross_cents)
      select store_id, product_id, utc_day(at), sum(units), sum(gross_cents)
        from line
       group by 1, 2, 3
       order by 1, 2, 3
          on conflict (store_id, product_id, day) do update
         set units = s.units + excluded.units, gross_cents = s.gross_cents + excluded.gross_cents
    ), products as (
      insert into sales_product as s (store_id, product_id, gross_cents)
      select store_id, product_id, sum(gross_cents)
        from line
       group by 1, 2
       order by 1, 2
          on conflict (store_id, product_id) do update
         set gross_cents = s.gross_cents + excluded.gross_cents
    )
    select count(*) as folded from gone`.execute(db)
  return rows[0]?.folded ?? 0
}

/** Deltas are folded at once. */
export const nextFold: Expression = sql`(select to_timestamp(0) from sales_delta limit 1)`
