import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { firstRow, firstValue } from '../../../db/rows.ts'
import { WORKER_LOST } from '../outcome-texts.ts'
import type { ClaimedRetry } from './claim.ts'
import { eventNoOf, positionOf } from './delivery-id.ts'
import { archiveAttempts } from './history.ts'
import { isLeased } from './lease.ts'
import { type ResultRow, resultRows } from './record.ts'

/** A delivery with the data of a manual attempt. */
export type Sendable = Omit<ClaimedRetry, 'token' | 'step' | 'lost' | 'is_lost' | 'manual'>

/** Selects a delivery, and locks its event, so that the event is not pruned before the transaction ends. */
export const selectSendable = (tx: Tx, storeId: number, id: number) =>
  firstRow<Sendable>(tx)`
    select d.store_id, d.id as delivery_id, d.endpoint_id, d.attempts, e.no, e.tag, e.type, e.test,
           e.payload_enc, e.created_at, s.clock_offset_ms
      from webhook_delivery d
      join event e on e.store_id = d.store_id and e.no = ${eventNoOf('d.id')}
      join store s on s.id = d.store_id
     where d.store_id = ${storeId} and d.id = ${id}
       for key share of e`

/** Locks the fan-out of a delivery that has no row yet. `running` is true if its first attempt is running. */
export const lockFanout = (tx: Tx, storeId: number, id: number) =>
  firstRow<{ running: boolean; endpoint_id: number }>(tx)`
    select ${isLeased(sql`lease_until`)} as running, endpoint_ids[${positionOf(id)}] as endpoint_id
      from webhook_fanout
     where store_id = ${storeId} and no = ${eventNoOf(id)}
       and coalesce(endpoint_ids[${positionOf(id)}], 0) <> 0
       for update`

/**
 * Moves a delivery from the fan-out to the retry lane, where it is due immediately. A lost first attempt counts as an
 * attempt (decision 39). If the first attempt was recorded in the meantime, the delivery already has a row.
 */
export async function moveToRetryLane(tx: Tx, storeId: number, id: number): Promise<void> {
  const position = positionOf(id)
  await sql`
    with written as (
      insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, next_attempt_at,
                                    attempted_at, error, worker_lost, created_at, updated_at)
      select f.store_id, ${id}, f.endpoint_ids[${position}], 'pending', state.lost::int, state.at,
             case when state.lost then state.at end, case when state.lost then ${WORKER_LOST} end, state.lost,
             e.created_at, state.at
        from webhook_fanout f
        join event e on e.store_id = f.store_id and e.no = f.no
        join store s on s.id = f.store_id
        cross join lateral (
          select f.lease_token <> 0 as lost,
                 case when f.lease_token = 0 then e.created_at
                      else clock_timestamp() + s.clock_offset_ms * interval '1 ms' end as at) state
       where f.store_id = ${storeId} and f.no = ${eventNoOf(id)}
          on conflict (store_id, id) do nothing
      returning store_id, id, endpoint_id, attempts
    ), queued as (
      insert into webhook_retry (store_id, delivery_id, endpoint_id, step, lost, due_at)
      select store_id, id, endpoint_id, 0, attempts, clock_timestamp()
        from written
    )
    update webhook_fanout set endpoint_ids[${position}] = 0
     where store_id = ${storeId} and no = ${eventNoOf(id)}`.execute(tx)
  await sql`
    delete from webhook_fanout
     where store_id = ${storeId} and no = ${eventNoOf(id)} and 0 = all(endpoint_ids)`.execute(tx)
}

/** Locks the expired lease of an attempt that was not recorded. Returns undefined if there is none. */
export const lockLostAttempt = (tx: Tx, storeId: number, id: number) =>
  firstRow<{ token: number; manual: boolean }>(tx)`
    select lease_token as token, by_hand as manual
      from webhook_retry
     where store_id = ${storeId} and delivery_id = ${id}
       and lease_token <> 0 and not ${isLeased(sql`due_at`)}
       for update`

/** Leases a delivery for a manual attempt. Returns undefined if another attempt is running. */
export const leaseManually = (tx: Tx, storeId: number, id: number) =>
  firstValue<number>(tx)`
    insert into webhook_retry as retry
           (store_id, delivery_id, endpoint_id, step, due_at, lease_token, by_hand)
    select d.store_id, d.id, d.endpoint_id, 0, clock_timestamp() + interval '30 s',
           nextval('webhook_lease'), true
      from webhook_delivery d
     where d.store_id = ${storeId} and d.id = ${id}
        on conflict (store_id, delivery_id) do update
       set resume_at = retry.due_at, due_at = excluded.due_at, lease_token = excluded.lease_token,
           by_hand = true, lost = retry.lost + (retry.lease_token <> 0)::int
     where retry.lease_token = 0 or not ${isLeased(sql`retry.due_at`)}
    returning retry.lease_token as token`

/** Inserts a delivery that only manual attempts send. */
export async function insertManualDelivery(
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
  /** The time when the status `before` was set or last confirmed. */
  before_at: string
  status: string
  duration_ms: number | null
  /** By the store's clock, ISO 8601. */
  at: string
}

/** The maximum number of stored attempts of a delivery, so that repeated resends do not fill the disk. */
const ATTEMPTS_MAX = 100

/**
 * Records manual attempts whose lease is still valid. A success ends the schedule. After a failure the delivery
 * keeps its due time or its final status. The delivery of a sample has no schedule, so a failure is final.
 */
export async function updateManualResults(
  tx: Tx,
  rows: readonly ResultRow[],
): Promise<ManualChange[]> {
  if (rows.length === 0) return []
  const { rows: changes } = await sql<ManualChange>`
    with result as materialized (select * from ${resultRows(rows)}), leased as materialized (
      select result.*, result.status = 'succeeded' as ok, w.deleted_at is not null as deleted,
             case when w.deleted_at is not null then null
                  when w.enabled and retry.resume_at = 'infinity' then clock_timestamp()
                  else retry.resume_at end as resume_at
        from result
        join webhook_retry retry on retry.store_id = result.store_id and retry.delivery_id = result.delivery_id
        join webhook_endpoint w on w.store_id = retry.store_id and w.id = retry.endpoint_id
       where retry.lease_token = result.token and retry.by_hand
         for update of retry
    ), archived as (
      ${archiveAttempts(sql`join leased l on l.store_id = d.store_id and l.delivery_id = d.id`)}
    ), deleted as (
      delete from webhook_attempt a
       using leased l, webhook_delivery d
       where d.store_id = l.store_id and d.id = l.delivery_id
         and a.store_id = l.store_id and a.delivery_id = l.delivery_id
         and a.attempt <= d.attempts + 1 - ${ATTEMPTS_MAX}
    ), before as materialized (
      select d.store_id, d.id, d.status, d.updated_at
        from webhook_delivery d
        join leased l on l.store_id = d.store_id and l.delivery_id = d.id
    ), ended as (
      delete from webhook_retry retry
       using leased l
       where retry.store_id = l.store_id and retry.delivery_id = l.delivery_id
         and (l.ok or l.resume_at is null)
    ), resumed as (
      update webhook_retry retry
         set due_at = l.resume_at, resume_at = null, by_hand = false, lease_token = 0
        from leased l
       where retry.store_id = l.store_id and retry.delivery_id = l.delivery_id
         and not (l.ok or l.resume_at is null)
    )
    update webhook_delivery d
       set status = case when l.ok then 'succeeded'
                         when d.status = 'pending' and l.deleted then 'cancelled'
                         when d.status = 'pending' and l.resume_at is null then 'failed'
                         else d.status end,
           next_attempt_at = case when l.ok or l.resume_at is null then null
                                  else coalesce(d.next_attempt_at, nullif(l.resume_at, 'infinity')) end,
           attempts = d.attempts + 1, attempted_at = l.at, status_code = l.status_code, error = l.error,
           duration_ms = l.duration_ms, response_body = l.response_body, signed_at = l.signed_at,
           manual = true,
           worker_lost = l.error is not distinct from ${WORKER_LOST},
           updated_at = greatest(d.updated_at, l.at)
      from leased l
      join before b on b.store_id = l.store_id and b.id = l.delivery_id
     where d.store_id = l.store_id and d.id = l.delivery_id
    returning d.store_id, d.id as delivery_id, d.endpoint_id, b.status as before,
              b.updated_at as before_at, d.status, l.duration_ms, l.at`.execute(tx)
  return changes
}
