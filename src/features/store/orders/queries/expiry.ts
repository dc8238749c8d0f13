import { sql } from 'kysely'
import type { Db, Expression } from '../../../../db/database.ts'
import { type DuePage, dueRows, nextDue, type TimedRows } from '../../../../db/due.ts'
import { allRows, execute } from '../../../../db/rows.ts'

export interface DueOrder {
  store_id: number
  id: string
  /** The number of failed attempts to expire the order. */
  failures: number
  /** True if its buyer can still pay at a provider. */
  has_open_payment: boolean
}

const CAN_EXPIRE = sql`o.status in ('pending', 'partially_paid')`
const HAS_OPEN_PAYMENT = sql`
  exists (select from payment p where p.store_id = o.store_id and p.order_id = o.id
                                  and p.status in ('pending', 'processing')) as has_open_payment`

const EXPIRING: TimedRows = {
  from: sql`"order" o`,
  store_id: sql`o.store_id`,
  due_at: sql`o.expires_at`,
}

/**
 * Returns orders that are due to expire by the clock of their store. The clock of a test side may be
 * ahead of the machine's. Orders that failed to expire are left out until their retry, so that they
 * never fill the batch.
 */
export const selectDueOrders = (db: Db, page: DuePage) =>
  allRows<DueOrder>(db)`
    ${dueRows(
      {
        ...EXPIRING,
        from: sql`
          "order" o
          left join order_expiry_retry r on r.store_id = o.store_id and r.order_id = o.id`,
        where: sql`${CAN_EXPIRE} and (r.retry_at is null or r.retry_at <= ${page.now})`,
      },
      sql`o.store_id, o.id, coalesce(r.failures, 0) as failures, ${HAS_OPEN_PAYMENT}`,
      page,
    )}`

const RETRY_MIN_S = 60
const RETRY_MAX_S = 3_600

/**
 * Postpones an order that failed to expire: by a minute, and by twice as long after each further
 * failure, up to an hour. Also deletes retries that are older than a day: their orders were paid or
 * cancelled.
 */
export const postponeExpiry = (
  db: Db,
  { store_id, id }: Pick<DueOrder, 'store_id' | 'id'>,
  now: string,
) =>
  execute(db)`
    with deleted as (
      delete from order_expiry_retry
       where retry_at < ${now}::timestamptz - interval '1 day' and (store_id, order_id) <> (${store_id}, ${id})
    )
    insert into order_expiry_retry as r (store_id, order_id, failures, retry_at)
    values (${store_id}, ${id}, 1, ${now}::timestamptz + ${RETRY_MIN_S} * interval '1 second')
        on conflict (store_id, order_id) do update
       set failures = r.failures + 1,
           retry_at = ${now}::timestamptz
                      + least(${RETRY_MIN_S} * 2 ^ least(r.failures, 10), ${RETRY_MAX_S}) * interval '1 second'`

/** Deletes the retry of an order that has expired, or that is no longer due. */
export const deleteExpiryRetry = (db: Db, { store_id, id }: Pick<DueOrder, 'store_id' | 'id'>) =>
  execute(db)`
    delete from order_expiry_retry where store_id = ${store_id} and order_id = ${id}`

const HAS_FAILED = sql`
  exists (select from order_expiry_retry r where r.store_id = o.store_id and r.order_id = o.id)`

/**
 * Returns the time at which the next order of a store expires. Orders that failed to expire are left
 * out, so that they do not stop the advance of the store's clock.
 */
export async function selectNextExpiry(db: Db, storeId: number): Promise<string | undefined> {
  const { rows } = await sql<{ next: string | null }>`
    select min(o.expires_at) as next
      from "order" o
     where o.store_id = ${storeId} and ${CAN_EXPIRE} and not ${HAS_FAILED}`.execute(db)
  return rows[0]?.next ?? undefined
}

/** The time at which the next order of any store expires or is retried, by the machine's clock. */
export const nextExpiry: Expression = sql`
  least(${nextDue({ ...EXPIRING, where: sql`${CAN_EXPIRE} and not ${HAS_FAILED}` })},
        (select min(r.retry_at)
           from order_expiry_retry r
           join "order" o on o.store_id = r.store_id and o.id = r.order_id
          where ${CAN_EXPIRE}))`
