import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { allRows, execute, firstRow, firstValue, onlyValue } from '../../../db/rows.ts'
import type { RelayResult } from '../listen/schema.ts'
import { eventNoOf } from './delivery-id.ts'
import { archiveAttempts } from './history.ts'

/** Marks an endpoint as a listener's, which must poll within `timeout_ms`. */
export const startListening = (
  tx: Tx,
  storeId: number,
  { id, timeout_ms }: { id: string; timeout_ms: number },
) =>
  execute(tx)`
    update webhook_endpoint
       set listening_until = clock_timestamp() + ${timeout_ms}::int * interval '1 ms'
     where store_id = ${storeId} and public_id = ${id}`

/** Counts the listeners of a store, also those that have not polled in time and are not removed yet. */
export const countListeners = (db: Db, storeId: number) =>
  onlyValue<number>(db)`
    select count(*) as total
      from webhook_endpoint
     where store_id = ${storeId} and deleted_at is null and listening_until is not null`

/** Records a poll of the listener. Returns its endpoint id; undefined if the endpoint was deleted. */
export const touchListener = (
  db: Db,
  storeId: number,
  { id, timeout_ms }: { id: string; timeout_ms: number },
) =>
  firstValue<number>(db)`
    update webhook_endpoint
       set listening_until = clock_timestamp() + ${timeout_ms}::int * interval '1 ms'
     where store_id = ${storeId} and public_id = ${id} and deleted_at is null
       and listening_until is not null
    returning id`

/** A delivery that is parked for a listener, with the data for its signature. */
export interface ParkedDelivery {
  delivery_id: number
  attempts: number
  no: number
  tag: number
  type: string
  payload_enc: Buffer
}

/** Returns deliveries parked for a listener, oldest first. No worker claims them. */
export const selectParked = (
  db: Db,
  storeId: number,
  { endpointId, limit }: { endpointId: number; limit: number },
) =>
  allRows<ParkedDelivery>(db)`
    select d.id as delivery_id, d.attempts, e.no, e.tag, e.type, e.payload_enc
      from webhook_retry retry
      join webhook_delivery d on d.store_id = retry.store_id and d.id = retry.delivery_id
      join event e on e.store_id = retry.store_id and e.no = ${eventNoOf('retry.delivery_id')}
     where retry.store_id = ${storeId} and retry.endpoint_id = ${endpointId} and retry.due_at = 'infinity'
       and retry.lease_token = 0
     order by retry.delivery_id
     limit ${limit}`

/** Returns the sealed payload of a delivery to a listener. */
export const selectParkedPayload = (
  db: Db,
  storeId: number,
  { endpointId, deliveryId }: { endpointId: number; deliveryId: number },
) =>
  firstRow<Pick<ParkedDelivery, 'tag' | 'payload_enc'>>(db)`
    select e.tag, e.payload_enc
      from webhook_delivery d
      join event e on e.store_id = d.store_id and e.no = ${eventNoOf('d.id')}
     where d.store_id = ${storeId} and d.id = ${deliveryId} and d.endpoint_id = ${endpointId}`

/**
 * Ends parked deliveries with the results of the listener. Ignores deliveries that are no longer parked, and
 * returns the others.
 */
export async function recordRelayed(
  tx: Tx,
  storeId: number,
  { endpointId, rows, at }: { endpointId: number; rows: readonly RelayResult[]; at: string },
): Promise<{ status: string; duration_ms: number }[]> {
  const column = <K extends keyof RelayResult>(name: K) => rows.map((row) => row[name])
  const endedDeliveries = await sql<{ status: string; duration_ms: number }>`
    with result as materialized (
      select * from unnest(
        ${column('delivery_id')}::bigint[], ${column('ok')}::boolean[],
        ${column('status_code')}::int[], ${column('error')}::text[],
        ${column('duration_ms')}::int[], ${column('response_body')}::text[])
        as result(delivery_id, ok, status_code, error, duration_ms, response_body)
    ), ended as (
      delete from webhook_retry retry
       using result
       where retry.store_id = ${storeId} and retry.endpoint_id = ${endpointId}
         and retry.delivery_id = result.delivery_id and retry.due_at = 'infinity' and retry.lease_token = 0
      returning retry.delivery_id
    ), archived as (
      ${archiveAttempts(sql`join ended on d.store_id = ${storeId} and ended.delivery_id = d.id`)}
    )
    update webhook_delivery d
       set status = case when result.ok then 'succeeded' else 'failed' end, attempts = d.attempts + 1,
           attempted_at = ${at}, status_code = result.status_code, error = result.error,
           duration_ms = result.duration_ms, response_body = result.response_body, signed_at = null,
           manual = false, worker_lost = false, updated_at = greatest(d.updated_at, ${at})
      from result
      join ended on ended.delivery_id = result.delivery_id
     where d.store_id = ${storeId} and d.id = result.delivery_id
    returning d.status, d.duration_ms`.execute(tx)
  return endedDeliveries.rows
}

const EXPIRED_MAX = 100

/** Returns the endpoints, of all stores, whose listeners have not polled in time. */
export const selectExpiredListeners = (db: Db) =>
  allRows<{ store_id: number; public_id: string }>(db)`
    select store_id, public_id
      from webhook_endpoint
     where listening_until <= clock_timestamp() and deleted_at is null
     limit ${EXPIRED_MAX}`

/** The moment at which the next listener times out. */
export const nextListenerTimeout: Expression = sql`
  (select min(listening_until) from webhook_endpoint where deleted_at is null)`
