import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { WORKER_LOST } from '../outcome-texts.ts'
import type { ClaimedRetry } from './claim.ts'
import { eventNo, placeOf } from './delivery-id.ts'
import { keepAttempts } from './history.ts'
import { isHeld } from './lease.ts'
import { columnsOf, type ResultRow } from './record.ts'

/** A delivery with the data of a manual attempt. */
export type Sendable = Omit<ClaimedRetry, 'token' | 'step' | 'lost' | 'lost_now' | 'manual'>

/** Its event cannot be pruned until the transaction ends. */
export async function selectSendable(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<Sendable | undefined> {
  const { rows } = await sql<Sendable>`
    select d.store_id, d.id as delivery_id, d.endpoint_id, d.attempts, e.no, e.tag, e.type, e.test,
           e.payload_enc, e.created_at, s.clock_offset_ms
      from webhook_delivery d
      join event e on e.store_id = d.store_id and e.no = ${eventNo('d.id')}
      join store s on s.id = d.store_id
     where d.store_id = ${storeId} and d.id = ${id}
       for key share of e`.execute(tx)
  return rows[0]
}

/** Locks the fan-out of a delivery that has no row yet. Returns whether its first attempt runs, and its endpoint. */
export async function lockPosition(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<{ running: boolean; endpoint_id: number } | undefined> {
  const { rows } = await sql<{ running: boolean; endpoint_id: number }>`
    select ${isHeld(sql`lease_until`)} as running, endpoint_ids[${placeOf(id)}] as endpoint_id
      from webhook_fanout
     where store_id = ${storeId} and no = ${eventNo(id)}
       and coalesce(endpoint_ids[${placeOf(id)}], 0) <> 0
       for update`.execute(tx)
  return rows[0]
}

/**
 * Moves a delivery out of the fan-out into the retry lane, due now. A first attempt that was lost counts
 * (decision 39). One that ended in the meantime has its row already.
 */
export async function takePosition(tx: Tx, storeId: number, id: number): Promise<void> {
  const position = placeOf(id)
  await sql`
    with written as (
      insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, next_attempt_at,
                                    attempted_at, error, worker_lost, created_at, updated_at)
      select f.store_id, ${id}, f.endpoint_ids[${position}], 'pending', lost::int, m.at,
             case when lost then m.at end, case when lost then ${WORKER_LOST} end, lost, e.created_at, m.at
        from webhook_fanout f
        join event e on e.store_id = f.store_id and e.no = f.no
        join store s on s.id = f.store_id
        cross join lateral (
          select f.lease_token <> 0 as lost,
                 case when f.lease_token = 0 then e.created_at
                      else clock_timestamp() + s.clock_offset_ms * interval '1 ms' end as at) m
       where f.store_id = ${storeId} and f.no = ${eventNo(id)}
          on conflict (store_id, id) do nothing
      returning store_id, id, endpoint_id, attempts
    ), waiting as (
      insert into webhook_retry (store_id, delivery_id, endpoint_id, step, lost, due_at)
      select store_id, id, endpoint_id, 0, attempts, clock_timestamp()
        from written
    )
    update webhook_fanout set endpoint_ids[${position}] = 0
     where store_id = ${storeId} and no = ${eventNo(id)}`.execute(tx)
  await sql`
    delete from webhook_fanout
     where store_id = ${storeId} and no = ${eventNo(id)} and 0 = all(endpoint_ids)`.execute(tx)
}

/** Locks the expired lease of an attempt that was not recorded, if there is one. */
export async function lockLostAttempt(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<{ token: number; manual: boolean } | undefined> {
  const { rows } = await sql<{ token: number; manual: boolean }>`
    select lease_token as token, by_hand as manual
      from webhook_retry
     where store_id = ${storeId} and delivery_id = ${id}
       and lease_token <> 0 and not ${isHeld(sql`due_at`)}
       for update`.execute(tx)
  return rows[0]
}

/** Leases a delivery for a manual attempt. Returns undefined if another attempt is running. */
export async function leaseManually(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ token: number }>`
    insert into webhook_retry as q
           (store_id, delivery_id, endpoint_id, step, due_at, lease_token, by_hand)
    select d.store_id, d.id, d.endpoint_id, 0, clock_timestamp() + interval '30 s',
           nextval('webhook_lease'), true
      from webhook_delivery d
     where d.store_id = ${storeId} and d.id = ${id}
        on conflict (store_id, delivery_id) do update
       set resume_at = q.due_at, due_at = excluded.due_at, lease_token = excluded.lease_token,
           by_hand = true, lost = q.lost + (q.lease_token <> 0)::int
     where q.lease_token = 0 or not ${isHeld(sql`q.due_at`)}
    returning q.lease_token as token`.execute(tx)
  return rows[0]?.token
}

/** Inserts a delivery of a sample, which only a manual attempt sends. */
export async function insertTestDelivery(
  tx: Tx,
  storeId: number,
  { id, endpointId, now }: { id: number; endpointId: number; now: string },
): Promise<void> {
  await tx
    .insertInto('webhook_delivery')
    .values({
      store_id: storeId,
      id,
      endpoint_id: endpointId,
      status: 'pending',
      attempts: 0,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** The status of a delivery before and after a manual attempt was recorded. */
export interface ManualChange {
  store_id: number
  delivery_id: number
  endpoint_id: number
  before: string
  /** When `before` was reached or last confirmed. */
  before_at: string
  status: string
  duration_ms: number | null
  /** By the store's clock, ISO 8601. */
  at: string
}

/** Attempts kept for one delivery, so that resending it all day does not fill the disk. */
const ATTEMPTS_KEPT = 100

/**
 * Records manual attempts whose lease still holds. A success ends the schedule. After a failure the
 * delivery is due when it was due before, or keeps its final status. A sample has no schedule: it fails.
 */
export async function updateManualResults(
  tx: Tx,
  rows: readonly ResultRow[],
): Promise<ManualChange[]> {
  if (rows.length === 0) return []
  const { rows: changed } = await sql<ManualChange>`
    with r as materialized (select * from ${columnsOf(rows)}), held as materialized (
      select r.*, r.status = 'succeeded' as ok, w.deleted_at is not null as deleted,
             case when w.deleted_at is not null then null
                  when w.enabled and q.resume_at = 'infinity' then clock_timestamp()
                  else q.resume_at end as resume_at
        from r
        join webhook_retry q on q.store_id = r.store_id and q.delivery_id = r.delivery_id
        join webhook_endpoint w on w.store_id = q.store_id and w.id = q.endpoint_id
       where q.lease_token = r.token and q.by_hand
         for update of q
    ), older as (
      ${keepAttempts(sql`join held h on h.store_id = d.store_id and h.delivery_id = d.id`)}
    ), oldest as (
      delete from webhook_attempt a
       using held h, webhook_delivery d
       where d.store_id = h.store_id and d.id = h.delivery_id
         and a.store_id = h.store_id and a.delivery_id = h.delivery_id
         and a.attempt <= d.attempts + 1 - ${ATTEMPTS_KEPT}
    ), before as materialized (
      select d.store_id, d.id, d.status, d.updated_at
        from webhook_delivery d
        join held h on h.store_id = d.store_id and h.delivery_id = d.id
    ), ended as (
      delete from webhook_retry q
       using held h
       where q.store_id = h.store_id and q.delivery_id = h.delivery_id
         and (h.ok or h.resume_at is null)
    ), resumed as (
      update webhook_retry q
         set due_at = h.resume_at, resume_at = null, by_hand = false, lease_token = 0
        from held h
       where q.store_id = h.store_id and q.delivery_id = h.delivery_id
         and not (h.ok or h.resume_at is null)
    )
    update webhook_delivery d
       set status = case when h.ok then 'succeeded'
                         when d.status = 'pending' and h.deleted then 'cancelled'
                         when d.status = 'pending' and h.resume_at is null then 'failed'
                         else d.status end,
           next_attempt_at = case when h.ok or h.resume_at is null then null
                                  else coalesce(d.next_attempt_at, nullif(h.resume_at, 'infinity')) end,
           attempts = d.attempts + 1, attempted_at = h.at, status_code = h.status_code, error = h.error,
           duration_ms = h.duration_ms, response_body = h.response_body, manual = true,
           worker_lost = h.error is not distinct from ${WORKER_LOST},
           updated_at = greatest(d.updated_at, h.at)
      from held h
      join before b on b.store_id = h.store_id and b.id = h.delivery_id
     where d.store_id = h.store_id and d.id = h.delivery_id
    returning d.store_id, d.id as delivery_id, d.endpoint_id, b.status as before,
              b.updated_at as before_at, d.status, h.duration_ms, h.at`.execute(tx)
  return changed
}
