import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { eventNo } from './delivery-id.ts'
import { keepAttempts } from './history.ts'

/** Turns an endpoint into one of a listener, which must call again within this time. */
export async function startListening(
  tx: Tx,
  storeId: number,
  { id, silence_ms }: { id: string; silence_ms: number },
): Promise<void> {
  await sql`
    update webhook_endpoint
       set listening_until = clock_timestamp() + ${silence_ms}::int * interval '1 ms'
     where store_id = ${storeId} and public_id = ${id}`.execute(tx)
}

/** Records that the listener is alive, and finds its endpoint; undefined if that is gone. */
export async function touchListener(
  db: Db,
  storeId: number,
  { id, silence_ms }: { id: string; silence_ms: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    update webhook_endpoint
       set listening_until = clock_timestamp() + ${silence_ms}::int * interval '1 ms'
     where store_id = ${storeId} and public_id = ${id} and deleted_at is null
       and listening_until is not null
    returning id`.execute(db)
  return rows[0]?.id
}

/** A delivery that is parked for a listener, with all that is needed to sign it. */
export interface Parked {
  delivery_id: number
  attempts: number
  no: number
  tag: number
  type: string
  payload_enc: Buffer
}

/** Returns deliveries parked for a listener, oldest first. Only a manual resend also takes them. */
export async function selectParked(
  db: Db,
  storeId: number,
  { endpointId, limit }: { endpointId: number; limit: number },
): Promise<Parked[]> {
  const { rows } = await sql<Parked>`
    select d.id as delivery_id, d.attempts, e.no, e.tag, e.type, e.payload_enc
      from webhook_retry q
      join webhook_delivery d on d.store_id = q.store_id and d.id = q.delivery_id
      join event e on e.store_id = q.store_id and e.no = ${eventNo('q.delivery_id')}
     where q.store_id = ${storeId} and q.endpoint_id = ${endpointId} and q.due_at = 'infinity'
       and q.lease_token = 0
     order by q.delivery_id
     limit ${limit}`.execute(db)
  return rows
}

/** The sealed payload of a delivery to a listener. */
export async function selectParkedPayload(
  db: Db,
  storeId: number,
  { endpointId, deliveryId }: { endpointId: number; deliveryId: number },
): Promise<Pick<Parked, 'tag' | 'payload_enc'> | undefined> {
  const { rows } = await sql<Pick<Parked, 'tag' | 'payload_enc'>>`
    select e.tag, e.payload_enc
      from webhook_delivery d
      join event e on e.store_id = d.store_id and e.no = ${eventNo('d.id')}
     where d.store_id = ${storeId} and d.id = ${deliveryId} and d.endpoint_id = ${endpointId}`.execute(
    db,
  )
  return rows[0]
}

/** The response of the receiver behind a listener. */
export interface RelayedRow {
  delivery_id: number
  ok: boolean
  status_code: number | null
  error: string | null
  duration_ms: number
  response_body: string | null
}

/**
 * Ends deliveries by the answers of the listener's receiver. A delivery that is not parked any more
 * stays as it is, and is not returned.
 */
export async function recordRelayed(
  tx: Tx,
  storeId: number,
  { endpointId, rows, at }: { endpointId: number; rows: readonly RelayedRow[]; at: string },
): Promise<{ status: string; duration_ms: number }[]> {
  const column = <K extends keyof RelayedRow>(name: K) => rows.map((row) => row[name])
  const ended = await sql<{ status: string; duration_ms: number }>`
    with r as materialized (
      select * from unnest(
        ${column('delivery_id')}::bigint[], ${column('ok')}::boolean[],
        ${column('status_code')}::int[], ${column('error')}::text[],
        ${column('duration_ms')}::int[], ${column('response_body')}::text[])
        as r(delivery_id, ok, status_code, error, duration_ms, response_body)
    ), ended as (
      delete from webhook_retry q
       using r
       where q.store_id = ${storeId} and q.endpoint_id = ${endpointId}
         and q.delivery_id = r.delivery_id and q.due_at = 'infinity' and q.lease_token = 0
      returning q.delivery_id
    ), older as (
      ${keepAttempts(sql`join ended x on d.store_id = ${storeId} and x.delivery_id = d.id`)}
    )
    update webhook_delivery d
       set status = case when r.ok then 'succeeded' else 'failed' end, attempts = d.attempts + 1,
           attempted_at = ${at}, status_code = r.status_code, error = r.error,
           duration_ms = r.duration_ms, response_body = r.response_body, manual = false,
           worker_lost = false, updated_at = greatest(d.updated_at, ${at})
      from r
      join ended x on x.delivery_id = r.delivery_id
     where d.store_id = ${storeId} and d.id = r.delivery_id
    returning d.status, d.duration_ms`.execute(tx)
  return ended.rows
}

const SILENT_MAX = 100

/** Endpoints of listeners that vanished without a word, in all stores. */
export async function selectSilentListeners(
  db: Db,
): Promise<{ store_id: number; public_id: string }[]> {
  const { rows } = await sql<{ store_id: number; public_id: string }>`
    select store_id, public_id
      from webhook_endpoint
     where listening_until <= clock_timestamp() and deleted_at is null
     limit ${SILENT_MAX}`.execute(db)
  return rows
}

/** When the next listener has been silent for too long. */
export const nextSilence: Expression = sql`
  (select min(listening_until) from webhook_endpoint where deleted_at is null)`
