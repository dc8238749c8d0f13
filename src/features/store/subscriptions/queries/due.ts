import { sql } from 'kysely'
import type { Db, Expression } from '../../../../db/database.ts'
import { type DuePage, dueRows, nextDue, type TimedRows } from '../../../../db/due.ts'
import { allRows, execute, firstValue } from '../../../../db/rows.ts'

export interface DueSubscription {
  store_id: number
  id: number
  open_invoice_id: string | null
  /** The number of times that an attempt to renew threw an error. */
  failures: number
}

const RENEWED: TimedRows = {
  from: sql`subscription s`,
  store_id: sql`s.store_id`,
  due_at: sql`s.due_at`,
}

const COLUMNS = sql`
  s.store_id, s.id, s.open_invoice_id,
  coalesce((select r.failures from renewal_retry r
             where r.store_id = s.store_id and r.subscription_id = s.id), 0) as failures, s.due_at`

/** A subscription on hold is not renewed. One that was cancelled ends anyway. */
const IS_PAUSED = sql`(s.on_hold and s.auto_renew)`

const isNotPostponed = (now: string) => sql`
  not ${IS_PAUSED} and not exists (select from renewal_retry r
               where r.store_id = s.store_id and r.subscription_id = s.id and r.retry_at > ${now})`

/**
 * Returns subscriptions that are due by the clock of their store, which can be ahead on a test side. Failed
 * subscriptions are omitted until their next attempt, so that they never fill the page.
 */
export const selectDueSubscriptions = (db: Db, page: DuePage) =>
  allRows<DueSubscription>(db)`
    ${dueRows({ ...RENEWED, where: isNotPostponed(page.now) }, COLUMNS, page)}
     order by due_at, id
     limit ${page.limit}`

const IS_STOPPED = sql`
  (${IS_PAUSED} or exists (select from renewal_retry r where r.store_id = s.store_id and r.subscription_id = s.id))`

/**
 * Returns the time at which the next subscription of a store is due. Those on hold and those whose renewal failed are ignored, so
 * that they do not stop a clock that is moved ahead.
 */
export const selectNextRenewal = (db: Db, storeId: number) =>
  firstValue<string>(db)`
    select s.due_at
      from subscription s
     where s.store_id = ${storeId} and s.due_at is not null and not ${IS_STOPPED}
     order by s.due_at
     limit 1`

/** The machine time at which the next subscription of any store is due. */
export const nextRenewal: Expression = sql`
  least(${nextDue({ ...RENEWED, where: sql`not ${IS_STOPPED}` })},
        (select min(r.retry_at)
           from renewal_retry r
           join subscription s on s.store_id = r.store_id and s.id = r.subscription_id
          where s.due_at is not null and not ${IS_PAUSED}))`

const RETRY_MIN_S = 60
const RETRY_MAX_S = 3_600

/** Postpones a subscription whose renewal failed by a minute, and doubles the delay each time, up to an hour. */
export const postponeRenewal = (db: Db, { store_id, id }: DueSubscription, now: string) =>
  execute(db)`
    insert into renewal_retry as r (store_id, subscription_id, failures, retry_at)
    values (${store_id}, ${id}, 1, ${now}::timestamptz + ${RETRY_MIN_S} * interval '1 second')
        on conflict (store_id, subscription_id) do update
       set failures = r.failures + 1,
           retry_at = ${now}::timestamptz
                      + least(${RETRY_MIN_S} * 2 ^ least(r.failures, 10), ${RETRY_MAX_S}) * interval '1 second'`

export const deleteRenewalRetry = (db: Db, { store_id, id }: DueSubscription) =>
  execute(db)`
    delete from renewal_retry where store_id = ${store_id} and subscription_id = ${id}`
