import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { allRows, allValues, execute, REPLANNED } from '../../../db/rows.ts'
import { isOfEvent } from './delivery-id.ts'

export interface StoreToPrune {
  store_id: number
  /** Events before this moment of the store's clock are deleted, ISO 8601. */
  retained_since: string
}

/** Returns the stores with an event older than `days` by the clock of the store. */
export const selectStoresToPrune = (db: Db, { now, days }: { now: string; days: number }) =>
  allRows<StoreToPrune>(db)`${REPLANNED}
    select s.store_id, s.retained_since
      from (select id as store_id,
                   ${now}::timestamptz + clock_offset_ms * interval '1 ms' - ${days} * interval '1 day'
                     as retained_since
              from store) s
      cross join lateral (
        select from event e
         where e.store_id = s.store_id and e.created_at < s.retained_since
         order by e.created_at
         limit 1) e
     order by s.store_id`

/** A parked delivery does not count as pending, because at this age it could only fail (decision 18). */
const IS_PENDING = sql`(retry.due_at < 'infinity' or retry.lease_token <> 0)`

/**
 * Locks the oldest events without pending deliveries. Skips an event that is being resent. The lookups follow
 * the order of the index, so that the cost of a batch depends only on its size.
 */
export const lockPrunable = (tx: Tx, { store_id, retained_since }: StoreToPrune, limit: number) =>
  allValues<number>(tx)`${REPLANNED}
    select e.no
      from event e
      left join lateral (
        select true as is_pending from webhook_fanout f
         where f.store_id = e.store_id and f.no = e.no
         limit 1) f on true
      left join lateral (
        select true as is_pending from webhook_retry retry
         where retry.store_id = e.store_id
           and ${isOfEvent('retry.delivery_id', 'e.no')} and ${IS_PENDING}
         limit 1) retry on true
     where e.store_id = ${store_id} and e.created_at < ${retained_since}
       and f.is_pending is not true and retry.is_pending is not true
     order by e.created_at
     limit ${limit}
       for update of e skip locked`

/**
 * Deletes events with their deliveries and attempts (decision 49). Skips events that got pending deliveries
 * before they were locked. The statement that locked them could not see these deliveries.
 */
export const deletePruned = (tx: Tx, storeId: number, eventNumbers: readonly number[]) =>
  execute(tx)`${REPLANNED}
    with pruned as materialized (
      select p.no
        from unnest(${eventNumbers}::bigint[]) as p(no)
       where not exists (select from webhook_fanout f where f.store_id = ${storeId} and f.no = p.no)
         and not exists (select from webhook_retry retry
                          where retry.store_id = ${storeId}
                            and ${isOfEvent('retry.delivery_id', 'p.no')} and ${IS_PENDING})
    ), parked as (
      delete from webhook_retry retry
       using pruned p
       where retry.store_id = ${storeId}
         and ${isOfEvent('retry.delivery_id', 'p.no')}
    ), attempts as (
      delete from webhook_attempt a
       using pruned p
       where a.store_id = ${storeId}
         and ${isOfEvent('a.delivery_id', 'p.no')}
    ), deliveries as (
      delete from webhook_delivery d
       using pruned p
       where d.store_id = ${storeId} and ${isOfEvent('d.id', 'p.no')}
    )
    delete from event e
     using pruned p
     where e.store_id = ${storeId} and e.no = p.no`
