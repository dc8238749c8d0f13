import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { isOfEvent } from './delivery-id.ts'

export interface StoreToPrune {
  store_id: number
  /** Events before this moment of the store's clock are deleted, ISO 8601. */
  oldest_kept: string
}

/** Stores that have an event of more than `days`, each by its own clock. */
export async function selectStoresToPrune(
  db: Db,
  { now, days }: { now: string; days: number },
): Promise<StoreToPrune[]> {
  const { rows } = await sql<StoreToPrune>`-- planned anew
    select s.store_id, s.oldest_kept
      from (select id as store_id,
                   ${now}::timestamptz + clock_offset_ms * interval '1 ms' - ${days} * interval '1 day'
                     as oldest_kept
              from store) s
      cross join lateral (
        select from event e
         where e.store_id = s.store_id and e.created_at < s.oldest_kept
         order by e.created_at
         limit 1) e
     order by s.store_id`.execute(db)
  return rows
}

/** Pending, not parked: a parked delivery of this age could only end as failed (decision 18). */
const WAITS = sql`(q.due_at < 'infinity' or q.lease_token <> 0)`

/**
 * Locks the oldest events without pending deliveries; one that is being resent is left out. The
 * lookups stand in the order of the index, so that the cost of a batch depends on its size only.
 */
export async function lockPrunable(
  tx: Tx,
  { store_id, oldest_kept }: StoreToPrune,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ no: number }>`-- planned anew
    select e.no
      from event e
      left join lateral (
        select true as waits from webhook_fanout f
         where f.store_id = e.store_id and f.no = e.no
         limit 1) f on true
      left join lateral (
        select true as waits from webhook_retry q
         where q.store_id = e.store_id
           and ${isOfEvent('q.delivery_id', 'e.no')} and ${WAITS}
         limit 1) q on true
     where e.store_id = ${store_id} and e.created_at < ${oldest_kept}
       and f.waits is not true and q.waits is not true
     order by e.created_at
     limit ${limit}
       for update of e skip locked`.execute(tx)
  return rows.map((row) => row.no)
}

/**
 * Removes events with their deliveries and attempts (decision 49), except those that got pending
 * deliveries before they were locked: this statement sees changes that the earlier one could not.
 */
export async function deletePruned(tx: Tx, storeId: number, nos: readonly number[]): Promise<void> {
  await sql`-- planned anew
    with gone as materialized (
      select x.no
        from unnest(${nos}::bigint[]) as x(no)
       where not exists (select from webhook_fanout f where f.store_id = ${storeId} and f.no = x.no)
         and not exists (select from webhook_retry q
                          where q.store_id = ${storeId}
                            and ${isOfEvent('q.delivery_id', 'x.no')} and ${WAITS})
    ), parked as (
      delete from webhook_retry q
       using gone g
       where q.store_id = ${storeId}
         and ${isOfEvent('q.delivery_id', 'g.no')}
    ), attempts as (
      delete from webhook_attempt a
       using gone g
       where a.store_id = ${storeId}
         and ${isOfEvent('a.delivery_id', 'g.no')}
    ), deliveries as (
      delete from webhook_delivery d
       using gone g
       where d.store_id = ${storeId} and ${isOfEvent('d.id', 'g.no')}
    )
    delete from event e
     using gone g
     where e.store_id = ${storeId} and e.no = g.no`.execute(tx)
}
