import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { allRows, firstRow, firstValue, onlyValue, REPLANNED } from '../../../db/rows.ts'
import { EVENT_TYPES } from '../../../events/types.ts'
import { deliveryAt, isOfEvent, POSITIONS } from './delivery-id.ts'

/** The number of an event, and the random part of its id. */
export interface EventKey {
  no: number
  tag: number
}

export interface EventRow extends EventKey {
  type: string
  test: boolean
  object_id: string
  created_at: string
  /** The deliveries of the event, to any endpoint. */
  deliveries: number
}

const EVENT = sql`
  e.no, e.tag, e.type, e.test, e.object_id, e.created_at,
  (select count(*) from webhook_delivery d
    where d.store_id = e.store_id and ${isOfEvent('d.id', 'e.no')})
  + (select count(*)
       from webhook_fanout f
       cross join lateral unnest(f.endpoint_ids) with ordinality as entry(endpoint_id, position)
      where f.store_id = e.store_id and f.no = e.no and entry.endpoint_id <> 0
        and not exists (select from webhook_delivery d
                         where d.store_id = f.store_id and d.id = ${deliveryAt('f.no', 'entry.position')}))
    as deliveries`

/** SQL that is false for internal events, which are in the same table and which no endpoint can receive. */
const isPublic = sql`e.type = any(${[...EVENT_TYPES]}::text[])`

interface EventFilter {
  limit: number
  /** Only events before this number. */
  before: number | undefined
  type: string | undefined
  object_id: string | undefined
}

/** Returns a page of the events of a store, newest first. */
export function selectEvents(
  db: Db,
  storeId: number,
  { limit, before, type, object_id }: EventFilter,
) {
  const conditions = [
    sql`e.store_id = ${storeId}`,
    type === undefined ? isPublic : sql`e.type = ${type}`,
    ...(before === undefined ? [] : [sql`e.no < ${before}`]),
    ...(object_id === undefined ? [] : [sql`e.object_id = ${object_id}`]),
  ]
  return allRows<EventRow>(db)`${REPLANNED}
    select ${EVENT}
      from event e
     where ${sql.join(conditions, sql` and `)}
     order by e.no desc
     limit ${limit}`
}

/** Returns an event with its sealed payload in base64. */
export const selectEvent = (db: Db, storeId: number, { no, tag }: EventKey) =>
  firstRow<EventRow & { payload_enc: string }>(db)`
    select ${EVENT}, encode(e.payload_enc, 'base64') as payload_enc
      from event e
     where e.store_id = ${storeId} and e.no = ${no} and e.tag = ${tag} and ${isPublic}`

/** Locks an event, so that two calls do not give a new delivery the same position. */
export const lockEvent = (tx: Tx, storeId: number, { no, tag }: EventKey) =>
  firstRow<EventKey>(tx)`
    select e.no, e.tag
      from event e
     where e.store_id = ${storeId} and e.no = ${no} and e.tag = ${tag} and ${isPublic}
       for no key update`

/** Returns the id of the delivery of an event to an endpoint, also before its first attempt. */
export const selectDeliveryTo = (
  tx: Tx,
  storeId: number,
  { no, endpointId }: { no: number; endpointId: number },
) =>
  firstValue<number>(tx)`
    select d.id
      from webhook_delivery d
     where d.store_id = ${storeId} and ${isOfEvent('d.id', no)} and d.endpoint_id = ${endpointId}
     union
    select ${deliveryAt('f.no', 'entry.position')}
      from webhook_fanout f
      cross join lateral unnest(f.endpoint_ids) with ordinality as entry(endpoint_id, position)
     where f.store_id = ${storeId} and f.no = ${no} and entry.endpoint_id = ${endpointId}
     limit 1`

/** Returns the first free position of an event's deliveries, from 0. The event must be locked. */
export const selectNextPosition = (tx: Tx, storeId: number, eventNo: number) =>
  onlyValue<number>(tx)`
    select greatest(
      (select coalesce(max(d.id) + 1 - ${eventNo}::bigint * ${sql.lit(POSITIONS)}, 0) from webhook_delivery d
        where d.store_id = ${storeId} and ${isOfEvent('d.id', eventNo)}),
      (select coalesce(max(cardinality(f.endpoint_ids)), 0) from webhook_fanout f
        where f.store_id = ${storeId} and f.no = ${eventNo})) as position`
