import { type RawBuilder, sql } from 'kysely'
import type { Db, Expression } from '../../../../db/database.ts'
import { onlyValue, REPLANNED } from '../../../../db/rows.ts'

/**
 * SQL fragments for statements that change orders, refunds or customers. Each fragment inserts the sales
 * deltas in the same statement, so an order needs no additional one. `cte` is the name of the CTE that
 * returns the changed rows.
 */

/** Inserts a delta for each created order. */
export const createdOrderDeltas = (cte: string): RawBuilder<unknown> => sql`
  insert into sales_delta (store_id, at, created)
  select store_id, created_at, 1 from ${sql.table(cte)}`

/**
 * Inserts a delta for each order that was paid or completed, or both in one change. `items` is the table or CTE of the
 * items of the orders.
 */
export function changedOrderDeltas(
  cte: string,
  {
    isPaid,
    isCompleted,
    items = 'order_item',
  }: { isPaid: boolean; isCompleted: boolean; items?: string },
): RawBuilder<unknown> {
  const completion = isCompleted ? sql`created_at` : sql`null::timestamptz`
  if (!isPaid) {
    return sql`
      insert into sales_delta (store_id, at, completed_of)
      select store_id, completed_at, ${completion} from ${sql.table(cte)}`
  }
  return sql`
    insert into sales_delta
           (store_id, at, completed_of, order_id, units, gross_cents, discount_cents, shipping_cents,
            payment_method, country)
    select store_id, paid_at, ${completion}, id,
           (select sum(i.quantity) from ${sql.table(items)} i where i.store_id = o.store_id and i.order_id = o.id),
           subtotal_cents, discount_cents, shipping_cents, payment_method, customer_country
      from ${sql.table(cte)} o`
}

/** Inserts a delta for each refund of an order that had been paid. */
export const refundDeltas = (cte: string): RawBuilder<unknown> => sql`
  insert into sales_delta (store_id, at, refunded_cents)
  select store_id, created_at, amount_cents from ${sql.table(cte)} where of_sale`

/** Inserts deltas of first orders from rows of (store_id, at, new_customers); -1 removes a new customer. */
export const firstOrderDeltas = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into sales_delta (store_id, at, new_customers) ${rows}`

/** The counter columns of `sales_quarter`, in the sequence in which `countersOf` selects them. */
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

/** Selects the deltas of a store that are not folded yet. */
export const pendingDeltas = (storeId: number): RawBuilder<unknown> =>
  sql`(select * from sales_delta where store_id = ${storeId})`

/**
 * Selects the changes of counters in deltas, each with its time. A completed order also counts as
 * converted in the quarter of an hour of its creation.
 */
export const countersOf = (deltas: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select store_id, at, created, 0 as converted, (completed_of is not null)::int as completed,
         (order_id is not null)::int as orders, units, gross_cents, discount_cents, shipping_cents,
         refunded_cents, new_customers
    from ${deltas} d
   union all
  select store_id, completed_of, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
    from ${deltas} d where completed_of is not null`

/** Selects the sales of paid orders in deltas, by payment method and by country. */
export const partsOf = (deltas: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select d.store_id, d.at, p.kind, coalesce(p.name, '') as name, d.gross_cents
    from ${deltas} d
   cross join lateral (values ('payment_method', d.payment_method), ('country', d.country)) p(kind, name)
   where d.order_id is not null`

/** Selects the sales of paid orders in deltas, by product. */
export const productsOf = (deltas: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select d.store_id, d.at, i.product_id, i.quantity as units,
         i.unit_price_cents * i.quantity as gross_cents
    from ${deltas} d
    join order_item i on i.store_id = d.store_id and i.order_id = d.order_id`

const DELETED = sql.table('deleted')

/**
 * Adds the oldest deltas to the sums of their quarters of an hour, days and products, and returns their
 * number. Rows are written in the sequence of their keys, so that two calls never deadlock.
 */
export function foldDeltas(db: Db, limit: number) {
  const names = sql.raw(COUNTERS.join(', '))
  const sums = sql.raw(COUNTERS.map((name) => `sum(${name})`).join(', '))
  const counterSums = sql.raw(
    COUNTERS.map((name) => `${name} = sales.${name} + excluded.${name}`).join(', '),
  )
  return onlyValue<number>(db)`${REPLANNED}
    with claimed as materialized (
      select id from sales_delta order by id limit ${limit} for update skip locked
    ), deleted as (
      delete from sales_delta d using claimed where d.id = claimed.id returning d.*
    ), quarters as (
      insert into sales_quarter as sales (store_id, quarter, ${names})
      select store_id, quarter_of(at), ${sums}
        from (${countersOf(DELETED)}) d
       group by 1, 2
       order by 1, 2
          on conflict (store_id, quarter) do update set ${counterSums}
    ), parts as (
      insert into sales_day_part as sales (store_id, day, kind, name, orders, gross_cents)
      select store_id, utc_day(at), kind, name, count(*), sum(gross_cents)
        from (${partsOf(DELETED)}) d
       group by 1, 2, 3, 4
       order by 1, 2, 3, 4
          on conflict (store_id, day, kind, name) do update
         set orders = sales.orders + excluded.orders, gross_cents = sales.gross_cents + excluded.gross_cents
    ), items as materialized (
      ${productsOf(DELETED)}
    ), days as (
      insert into sales_product_day as sales (store_id, product_id, day, units, gross_cents)
      select store_id, product_id, utc_day(at), sum(units), sum(gross_cents)
        from items
       group by 1, 2, 3
       order by 1, 2, 3
          on conflict (store_id, product_id, day) do update
         set units = sales.units + excluded.units, gross_cents = sales.gross_cents + excluded.gross_cents
    ), products as (
      insert into sales_product as sales (store_id, product_id, gross_cents)
      select store_id, product_id, sum(gross_cents)
        from items
       group by 1, 2
       order by 1, 2
          on conflict (store_id, product_id) do update
         set gross_cents = sales.gross_cents + excluded.gross_cents
    )
    select count(*) as folded from deleted`
}

/** The job is due as soon as there is a delta. */
export const nextFold: Expression = sql`(select to_timestamp(0) from sales_delta limit 1)`
