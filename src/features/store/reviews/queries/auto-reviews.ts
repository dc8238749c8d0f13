import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../../db/database.ts'
import { allRows, execute, firstValue, hasChanged } from '../../../../db/rows.ts'

/** An order that may need automatic reviews. */
export interface UnreviewedOrder {
  store_id: number
  id: string
  completed_at: string
}

/** Converts machine time to the time of the store `s`. */
const storeTime = (now: string) => sql`(${now}::timestamptz + s.clock_offset_ms * interval '1 ms')`

/**
 * Inserts a cursor for stores that have switched automatic reviews on. It skips the orders whose reviews would
 * already be due. Deletes the cursor of stores that have switched them off.
 */
export const syncCursors = (
  db: Db,
  { now, storeId = null }: { now: string; storeId?: number | null },
) =>
  execute(db)`
    with deleted as (
      delete from auto_review_cursor c
       using store s
       where s.id = c.store_id and s.auto_review_days is null
         and (${storeId}::bigint is null or s.id = ${storeId})
    )
    insert into auto_review_cursor (store_id, completed_at, order_id)
    select s.id, ${storeTime(now)} - s.auto_review_days * interval '1 day', ''
      from store s
     where s.auto_review_days is not null
       and (${storeId}::bigint is null or s.id = ${storeId})
       and not exists (select from auto_review_cursor c where c.store_id = s.id)
        on conflict (store_id) do nothing`

/** Returns completed orders whose automatic reviews are due by the clock of their store, the oldest first. */
export const selectDueOrders = (
  db: Db,
  { now, limit, storeId = null }: { now: string; limit: number; storeId?: number | null },
) =>
  allRows<UnreviewedOrder>(db)`
    select c.store_id, o.id, o.completed_at
      from auto_review_cursor c
      join store s on s.id = c.store_id and s.auto_review_days is not null
     cross join lateral (
       select o.id, o.completed_at
         from "order" o
        where o.store_id = c.store_id and o.status = 'completed'
          and (o.completed_at, o.id) > (c.completed_at, c.order_id)
          and o.completed_at <= ${storeTime(now)} - s.auto_review_days * interval '1 day'
        order by o.completed_at, o.id
        limit ${limit}) o
     where (${storeId}::bigint is null or c.store_id = ${storeId})
       and (c.retry_at is null or c.retry_at <= ${now})
     order by c.store_id, o.completed_at, o.id
     limit ${limit}`

/** Selects when the next order after the cursor `c` was completed. */
const NEXT_ORDER = sql`
  select o.completed_at
    from "order" o
   where o.store_id = c.store_id and o.status = 'completed'
     and (o.completed_at, o.id) > (c.completed_at, c.order_id)
   order by o.completed_at, o.id
   limit 1`

/**
 * Returns the time when the next order of a store is due. Returns undefined if there is no next
 * order, or if the store waits for a retry.
 */
export const selectNextDue = (db: Db, storeId: number) =>
  firstValue<string>(db)`
    select o.completed_at + s.auto_review_days * interval '1 day' as next
      from auto_review_cursor c
      join store s on s.id = c.store_id and s.auto_review_days is not null
     cross join lateral (${NEXT_ORDER}) o
     where c.store_id = ${storeId} and c.retry_at is null`

/**
 * The machine time at which the next store is due. A store is due immediately if its setting was switched but
 * its cursor was not inserted or deleted yet.
 */
export const nextReview: Expression = sql`
  least((select to_timestamp(0)
           from store s
          where s.auto_review_days is not null
            and not exists (select from auto_review_cursor c where c.store_id = s.id)
          limit 1),
        (select min(case when s.auto_review_days is null then to_timestamp(0)
                         else greatest(c.retry_at,
                                       o.completed_at + s.auto_review_days * interval '1 day'
                                       - s.clock_offset_ms * interval '1 ms') end)
           from auto_review_cursor c
           join store s on s.id = c.store_id
           left join lateral (${NEXT_ORDER}) o on true
          where s.auto_review_days is null or o.completed_at is not null))`

/** Moves the cursor past an order. Returns false if another process has moved it. */
export const advanceCursor = (tx: Tx, order: UnreviewedOrder) =>
  hasChanged(tx)`
    update auto_review_cursor
       set completed_at = ${order.completed_at}, order_id = ${order.id}, failures = 0, retry_at = null
     where store_id = ${order.store_id}
       and (completed_at, order_id) < (${order.completed_at}::timestamptz, ${order.id})`

/** Postpones the next attempt for a store, and returns the number of failures of its order. */
export async function postponeStore(
  db: Db,
  storeId: number,
  { now, wait_s }: { now: string; wait_s: number },
): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    update auto_review_cursor
       set failures = failures + 1,
           retry_at = ${now}::timestamptz + ${wait_s} * interval '1 second'
     where store_id = ${storeId}
    returning failures`.execute(db)
  return rows[0]?.failures ?? 0
}
