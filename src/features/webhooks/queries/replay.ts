import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { allRows, firstValue, onlyValue, REPLANNED } from '../../../db/rows.ts'
import { deliveryAt, isOfEvent, POSITIONS } from './delivery-id.ts'

/** Returns the time of the last event to look at; undefined if there are fewer than `limit` events since `since`. */
export const selectEndOfScan = (
  db: Db,
  storeId: number,
  { since, limit }: { since: string; limit: number },
) =>
  firstValue<string>(db)`${REPLANNED}
    select created_at
      from event
     where store_id = ${storeId} and created_at >= ${since}
     order by created_at
    offset ${limit - 1}
     limit 1`

/** SQL that is true if an event `e` has a delivery to the endpoint, also before its first attempt. */
const hasDeliveryTo = (endpointId: number) => sql`
  (exists (select from webhook_delivery d
            where d.store_id = e.store_id and ${isOfEvent('d.id', 'e.no')} and d.endpoint_id = ${endpointId})
   or exists (select from webhook_fanout f
               where f.store_id = e.store_id and f.no = e.no and ${endpointId}::bigint = any(f.endpoint_ids)))`

/** SQL for the first free position of an event's deliveries, from 1. */
const NEXT_POSITION = sql`
  greatest(
    (select coalesce(max(d.id) + 1 - e.no * ${sql.lit(POSITIONS)}, 0) from webhook_delivery d
      where d.store_id = e.store_id and ${isOfEvent('d.id', 'e.no')}),
    (select coalesce(max(cardinality(f.endpoint_ids)), 0) from webhook_fanout f
      where f.store_id = e.store_id and f.no = e.no)) + 1`

interface MissedFilter {
  since: string
  /** The time of the last event to look at; undefined for no end. */
  until: string | undefined
  types: readonly string[]
  endpointId: number
  limit: number
}

/**
 * Locks the oldest events without a delivery to the endpoint, so that two calls do not give new deliveries the same
 * position. Skips samples, and events that have as many deliveries as an event can have.
 */
export const lockMissedEvents = (
  tx: Tx,
  storeId: number,
  { since, until, types, endpointId, limit }: MissedFilter,
) =>
  allRows<{ no: number; created_at: string }>(tx)`${REPLANNED}
    select e.no, e.created_at
      from event e
     where e.store_id = ${storeId} and e.created_at >= ${since}
       and e.created_at <= coalesce(${until ?? null}::timestamptz, 'infinity')
       and e.type = any(${[...types]}::text[]) and not e.test
       and not ${hasDeliveryTo(endpointId)} and ${NEXT_POSITION} <= ${POSITIONS}
     order by e.created_at, e.no
     limit ${limit}
       for no key update of e`

/**
 * Creates due deliveries of locked events. Skips events that got a delivery to the endpoint before they were locked.
 * Returns the number of new deliveries.
 */
export const insertMissedDeliveries = (
  tx: Tx,
  storeId: number,
  { numbers, endpointId, now }: { numbers: readonly number[]; endpointId: number; now: string },
) =>
  onlyValue<number>(tx)`${REPLANNED}
    with missed as materialized (
      select e.no, e.created_at, ${NEXT_POSITION} as position
        from unnest(${[...numbers]}::bigint[]) as locked(no)
        join event e on e.store_id = ${storeId} and e.no = locked.no
       where not ${hasDeliveryTo(endpointId)}
    ), written as (
      insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, next_attempt_at, created_at, updated_at)
      select ${storeId}, ${deliveryAt('m.no', 'm.position')}, ${endpointId}, 'pending', 0, ${now}, m.created_at, ${now}
        from missed m
       where m.position <= ${POSITIONS}
      returning store_id, id, endpoint_id
    ), queued as (
      insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
      select store_id, id, endpoint_id, 0, clock_timestamp()
        from written
    )
    select count(*) from written`
