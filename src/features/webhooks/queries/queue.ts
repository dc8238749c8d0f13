import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { onlyRow, onlyValue } from '../../../db/rows.ts'
import { isLeased } from './lease.ts'
import { pendingEndpoints, pendingStores } from './pending.ts'

/** The pending deliveries of all stores. */
interface Queue {
  depth: { first: number; retry: number; parked: number }
  /** 0 if no delivery is due. */
  oldest_due_age_ms: number
  endpoints_off: number
}

/** The limit up to which rows are counted, so that metrics stay cheap even with a backlog. */
const COUNTED_MAX = 100_000

export async function selectQueue(db: Db): Promise<Queue> {
  const row = await onlyRow<Omit<Queue, 'oldest_due_age_ms'>>(db)`
    select json_build_object(
             'first', (select count(*) from (select from webhook_fanout limit ${COUNTED_MAX}) f),
             'retry', count(*) filter (where retry.due_at < 'infinity'),
             'parked', count(*) filter (where retry.due_at = 'infinity')) as depth,
           (select count(*) from webhook_endpoint
             where not enabled and deleted_at is null) as endpoints_off
      from (select due_at from webhook_retry limit ${COUNTED_MAX}) retry`
  return { ...row, oldest_due_age_ms: await selectOldestDueAge(db) }
}

const PENDING_CTES = sql`${pendingStores()}, ${pendingEndpoints()}`

/**
 * Returns the age in milliseconds of the oldest due delivery that is not claimed; 0 if none is due. Reads only
 * the first delivery of each store and of each endpoint.
 */
export async function selectOldestDueAge(db: Db): Promise<number> {
  const { rows } = await sql<{ age_ms: number | null }>`
    with recursive ${PENDING_CTES}, due as (
      select f.due_at
        from stores s
        join store on store.id = s.store_id
        cross join lateral (
          select greatest(case when f.lease_until <= clock_timestamp() then f.lease_until end,
                          e.created_at - store.clock_offset_ms * interval '1 ms') as due_at
            from webhook_fanout f
            join event e on e.store_id = f.store_id and e.no = f.no
           where f.store_id = s.store_id and not ${isLeased(sql`f.lease_until`)}
           order by f.no
           limit 1) f
       union all
      select retry.due_at
        from endpoints w
        cross join lateral (
          select due_at
            from webhook_retry
           where endpoint_id = w.endpoint_id and due_at <= clock_timestamp()
           order by due_at, delivery_id
           limit 1) retry
       where w.endpoint_id is not null
    )
    select (extract(epoch from clock_timestamp() - min(due_at)) * 1000)::bigint as age_ms
      from due`.execute(db)
  return Math.max(0, rows[0]?.age_ms ?? 0)
}

/**
 * Returns true if a worker of any process has a lease: a claim of the last 30 s whose results are not recorded.
 * Only the oldest event of each store is read, because events are claimed in this order. The lease of a retry ends
 * within 30 s, so the index of due times is read up to that moment only.
 */
export const selectAnyLease = (db: Db) =>
  onlyValue<boolean>(db)`
    with recursive ${PENDING_CTES}
    select exists (
             select
               from stores s
              cross join lateral (
                select lease_until from webhook_fanout
                 where store_id = s.store_id order by no limit 1) f
              where ${isLeased(sql`f.lease_until`)})
        or exists (
             select
               from endpoints w
               join webhook_retry retry on retry.endpoint_id = w.endpoint_id
              where retry.due_at > clock_timestamp() and retry.due_at < clock_timestamp() + interval '31 s'
                and retry.lease_token <> 0 and not retry.by_hand) as leased`
