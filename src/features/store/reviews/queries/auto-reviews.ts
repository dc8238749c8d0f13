import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../../db/database.ts'

/** An order that may need automatic reviews. */
export interface DueOrder {
  store_id: number
  id: string
  completed_at: string
}

/** Converts a moment of the machine's clock to the store's clock. */
const storeTime = (now: string) => sql`(${now}::timestamptz + s.clock_offset_ms * interval '1 ms')`

/**
 * Starts the cursor of stores that turned automatic reviews on, so that only orders from then on become
 * due, and removes the cursor of stores that turned them off.
 */
export async function followSettings(
  db: Db,
  { now, storeId = null }: { now: string; storeId?: number | null },
): Promise<void> {
  await sql`
    with ended as (
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
        on conflict (store_id) do nothing`.execute(db)
}

/** Completed orders whose time for a review is over, by the clock of their store, the oldest of each first. */
export async function selectDueOrders(
  db: Db,
  { now, limit, storeId = null }: { now: string; limit: number; storeId?: number | null },
): Promise<DueOrder[]> {
  const { rows } = await sql<DueOrder>`
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
     limit ${limit}`.execute(db)
  return rows
}

/** When the next order of a store becomes due; undefined if none will, or while one is tried again. */
export async function selectNextDue(db: Db, storeId: number): Promise<string | undefined> {
  const { rows } = await sql<{ next: string }>`
    select o.completed_at + s.auto_review_days * interval '1 day' as next
      from auto_review_cursor c
      join store s on s.id = c.store_id and s.auto_review_days is not null
     cross join lateral (
       select o.completed_at
         from "order" o
        where o.store_id = c.store_id and o.status = 'completed'
          and (o.completed_at, o.id) > (c.completed_at, c.order_id)
        order by o.completed_at, o.id
        limit 1) o
     where c.store_id = ${storeId} and c.retry_at is null`.execute(db)
  return rows[0]?.next
}

/**
 * When the next store is due, by the machine's clock. A store whose setting and cursor do not agree is
 * due at once.
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
           left join lateral (
             select o.completed_at
               from "order" o
              where o.store_id = c.store_id and o.status = 'completed'
                and (o.completed_at, o.id) > (c.completed_at, c.order_id)
              order by o.completed_at, o.id
              limit 1) o on true
          where s.auto_review_days is null or o.completed_at is not null))`

/** Moves the cursor past an order. Returns false if another process has done it. */
export async function passOrder(tx: Tx, order: DueOrder): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update auto_review_cursor
       set completed_at = ${order.completed_at}, order_id = ${order.id}, failures = 0, retry_at = null
     where store_id = ${order.store_id}
       and (completed_at, order_id) < (${order.completed_at}::timestamptz, ${order.id})`.execute(tx)
  return numAffectedRows === 1n
}

/** Waits before the store is tried again, and returns how often the order failed. */
export async function postpone(
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
