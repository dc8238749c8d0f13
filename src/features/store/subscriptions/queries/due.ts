import { sql } from 'kysely'
import type { Db, Expression } from '../../../../db/database.ts'

export interface DueSubscription {
  store_id: number
  id: number
  open_invoice_id: string | null
  /** How often its renewal failed. */
  failures: number
}

/**
 * Subscriptions that are due by the clock of their store: a test side's may be ahead. Those that failed
 * are left out until they may be tried again, so that they never fill the page.
 */
export async function selectDueSubscriptions(
  db: Db,
  { now, limit, storeId }: { now: string; limit: number; storeId?: number },
): Promise<DueSubscription[]> {
  const due = (until: ReturnType<typeof sql>) => sql`
    s.due_at <= ${until}
    and not exists (select from renewal_retry r
                     where r.store_id = s.store_id and r.subscription_id = s.id and r.retry_at > ${now})`
  const columns = sql`
    s.store_id, s.id, s.open_invoice_id,
    coalesce((select r.failures from renewal_retry r
               where r.store_id = s.store_id and r.subscription_id = s.id), 0) as failures, s.due_at`
  const { rows } = await sql<DueSubscription>`
    (select ${columns}
       from subscription s
      where ${due(sql`${now}`)} ${storeId === undefined ? sql`` : sql`and s.store_id = ${storeId}`}
      order by s.due_at
      limit ${limit})
     union
    (select ${columns}
       from store t
      cross join lateral (
             select * from subscription s
              where s.store_id = t.id
                and ${due(sql`${now}::timestamptz + t.clock_offset_ms * interval '1 ms'`)}
              order by s.due_at
              limit ${limit}) s
      where t.clock_offset_ms > 0 ${storeId === undefined ? sql`` : sql`and t.id = ${storeId}`})
     order by due_at, id
     limit ${limit}`.execute(db)
  return rows
}

/**
 * When the next subscription of a store is due. A moving clock does not stop for one whose renewal
 * failed.
 */
export async function selectNextRenewal(db: Db, storeId: number): Promise<string | undefined> {
  const { rows } = await sql<{ due_at: string }>`
    select s.due_at
      from subscription s
     where s.store_id = ${storeId} and s.due_at is not null
       and not exists (select from renewal_retry r
                        where r.store_id = s.store_id and r.subscription_id = s.id)
     order by s.due_at
     limit 1`.execute(db)
  return rows[0]?.due_at
}

const HAS_FAILED = sql`
  exists (select from renewal_retry r where r.store_id = s.store_id and r.subscription_id = s.id)`

/** When the next subscription of any store is due, by the machine's clock. */
export const nextRenewal: Expression = sql`
  least((select s.due_at
           from subscription s
          where s.due_at is not null and not ${HAS_FAILED}
          order by s.due_at
          limit 1),
        (select min(s.due_at - t.clock_offset_ms * interval '1 ms')
           from store t
          cross join lateral (
            select s.due_at
              from subscription s
             where s.store_id = t.id and s.due_at is not null and not ${HAS_FAILED}
             order by s.due_at
             limit 1) s
          where t.clock_offset_ms > 0),
        (select min(r.retry_at)
           from renewal_retry r
           join subscription s on s.store_id = r.store_id and s.id = r.subscription_id
          where s.due_at is not null))`

const RETRY_MIN_S = 60
const RETRY_MAX_S = 3_600

/** Puts off a subscription whose renewal failed: a minute, then twice as long each time, up to an hour. */
export async function postponeRenewal(
  db: Db,
  { store_id, id }: DueSubscription,
  now: string,
): Promise<void> {
  await sql`
    insert into renewal_retry as r (store_id, subscription_id, failures, retry_at)
    values (${store_id}, ${id}, 1, ${now}::timestamptz + ${RETRY_MIN_S} * interval '1 second')
        on conflict (store_id, subscription_id) do update
       set failures = r.failures + 1,
           retry_at = ${now}::timestamptz
                      + least(${RETRY_MIN_S} * 2 ^ least(r.failures, 10), ${RETRY_MAX_S}) * interval '1 second'`.execute(
    db,
  )
}

export async function deleteRenewalRetry(db: Db, { store_id, id }: DueSubscription): Promise<void> {
  await sql`
    delete from renewal_retry where store_id = ${store_id} and subscription_id = ${id}`.execute(db)
}
