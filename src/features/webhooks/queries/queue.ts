import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { isHeld } from './lease.ts'
import { waitingEndpoints, waitingStores } from './waiting.ts'

/** The pending deliveries of all stores. */
export interface Queue {
  depth: { first: number; retry: number; parked: number }
  /** 0 if nothing is due. */
  oldest_due_age_ms: number
  endpoints_off: number
}

/** Counting stops here, so that a page of metrics stays cheap behind a backlog. */
const COUNTED_MAX = 100_000

export async function selectQueue(db: Db): Promise<Queue> {
  const { rows } = await sql<Omit<Queue, 'oldest_due_age_ms'>>`
    select json_build_object(
             'first', (select count(*) from (select from webhook_fanout limit ${COUNTED_MAX}) f),
             'retry', count(*) filter (where q.due_at < 'infinity'),
             'parked', count(*) filter (where q.due_at = 'infinity')) as depth,
           (select count(*) from webhook_endpoint
             where not enabled and deleted_at is null) as endpoints_off
      from (select due_at from webhook_retry limit ${COUNTED_MAX}) q`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A count gave no row.')
  return { ...row, oldest_due_age_ms: await selectOldestDueAge(db) }
}

const WAITING = sql`${waitingStores()}, ${waitingEndpoints()}`

/**
 * The age in milliseconds of the oldest due delivery that is not claimed; 0 if nothing is due. It
 * steps from store to store and from endpoint to endpoint, and reads the first of each only.
 */
export async function selectOldestDueAge(db: Db): Promise<number> {
  const { rows } = await sql<{ age_ms: number | null }>`
    with recursive ${WAITING}, due as (
      select f.due_at
        from stores s
        join store t on t.id = s.store_id
        cross join lateral (
          select greatest(case when f.lease_until <= clock_timestamp() then f.lease_until end,
                          e.created_at - t.clock_offset_ms * interval '1 ms') as due_at
            from webhook_fanout f
            join event e on e.store_id = f.store_id and e.no = f.no
           where f.store_id = s.store_id and not ${isHeld(sql`f.lease_until`)}
           order by f.no
           limit 1) f
       union all
      select q.due_at
        from endpoints w
        cross join lateral (
          select due_at
            from webhook_retry
           where endpoint_id = w.endpoint_id and due_at <= clock_timestamp()
           order by due_at, delivery_id
           limit 1) q
       where w.endpoint_id is not null
    )
    select (extract(epoch from clock_timestamp() - min(due_at)) * 1000)::bigint as age_ms
      from due`.execute(db)
  return Math.max(0, rows[0]?.age_ms ?? 0)
}

/**
 * Returns true if a worker of any process holds a lease: a claim of the last 30 s that is not done.
 * It is the oldest event of a store that is taken first.
 */
export async function selectAnyLease(db: Db): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    with recursive ${WAITING}
    select exists (
             select
               from stores s
              cross join lateral (
                select lease_until from webhook_fanout
                 where store_id = s.store_id order by no limit 1) f
              where ${isHeld(sql`f.lease_until`)})
        or exists (
             select
               from endpoints w
               join webhook_retry q on q.endpoint_id = w.endpoint_id
              where q.due_at > clock_timestamp() and q.due_at < clock_timestamp() + interval '31 s'
                and q.lease_token <> 0 and not q.by_hand) as held`.execute(db)
  return rows[0]?.held ?? false
}
