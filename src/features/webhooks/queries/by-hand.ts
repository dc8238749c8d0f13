import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { WORKER_LOST } from '../outcome-texts.ts'
import { eventNo, placeOf } from './delivery-id.ts'
import { keepAttempts } from './history.ts'
import { isHeld } from './lease.ts'

/** A delivery with the data of a manual attempt. */
export interface Sendable {
  delivery_id: number
  attempts: number
  no: number
  tag: number
  type: string
  payload_enc: Buffer
}

/** Its event cannot be forgotten until the transaction ends. */
export async function selectSendable(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<(Sendable & { endpoint_id: number }) | undefined> {
  const { rows } = await sql<Sendable & { endpoint_id: number }>`
    select d.id as delivery_id, d.endpoint_id, d.attempts, e.no, e.tag, e.type, e.payload_enc
      from webhook_delivery d
      join event e on e.store_id = d.store_id and e.no = ${eventNo('d.id')}
     where d.store_id = ${storeId} and d.id = ${id}
       for key share of e`.execute(tx)
  return rows[0]
}

/** Locks the fan-out of a delivery without a row; returns its endpoint, and true if its first attempt runs. */
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
 * Moves a delivery out of the fan-out into the retry lane, due now. A first attempt that never ended counts
 * as an attempt (decision 39); one that ended while we looked has its row already.
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

/** The lease of an attempt that never ended, if there is one. */
export async function lockLostAttempt(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<{ token: number; by_hand: boolean } | undefined> {
  const { rows } = await sql<{ token: number; by_hand: boolean }>`
    select lease_token as token, by_hand
      from webhook_retry
     where store_id = ${storeId} and delivery_id = ${id}
       and lease_token <> 0 and not ${isHeld(sql`due_at`)}
       for update`.execute(tx)
  return rows[0]
}

/** Returns the lease of a manual attempt; undefined if another attempt is running. */
export async function leaseByHand(
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

export interface HandResult {
  delivery_id: number
  token: number
  ok: boolean
  status_code: number | null
  error: string | null
  duration_ms: number | null
  response_body: string | null
  worker_lost: boolean
  /** By the store's clock, ISO 8601. */
  at: string
}

/** The status of a delivery before and after a manual attempt ended. */
export interface Changed {
  endpoint_id: number
  before: string
  /** When it became that, or was tried again since. */
  before_at: string
  status: string
}

/** Attempts that a delivery remembers: whoever sends one again all day does not fill the disk. */
const ATTEMPTS_KEPT = 100

/**
 * Records a manual attempt. Success ends the schedule; after a failure the delivery is due as it was
 * before, or keeps its current state. A sample has no schedule: it fails. Does nothing if the attempt
 * was recorded already.
 */
export async function recordByHand(
  tx: Tx,
  storeId: number,
  result: HandResult,
): Promise<Changed | undefined> {
  const { delivery_id, token, ok, at } = result
  const { rows } = await sql<Changed>`
    with held as materialized (
      select q.store_id, q.delivery_id, w.deleted_at is not null as deleted,
             case when w.deleted_at is not null then null
                  when w.enabled and q.resume_at = 'infinity' then clock_timestamp()
                  else q.resume_at end as resume_at
        from webhook_retry q
        join webhook_endpoint w on w.store_id = q.store_id and w.id = q.endpoint_id
       where q.store_id = ${storeId} and q.delivery_id = ${delivery_id}
         and q.lease_token = ${token} and q.by_hand
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
         and (${ok} or h.resume_at is null)
    ), resumed as (
      update webhook_retry q
         set due_at = h.resume_at, resume_at = null, by_hand = false, lease_token = 0
        from held h
       where q.store_id = h.store_id and q.delivery_id = h.delivery_id
         and not (${ok} or h.resume_at is null)
    )
    update webhook_delivery d
       set status = case when ${ok} then 'succeeded'
                         when d.status = 'pending' and h.deleted then 'cancelled'
                         when d.status = 'pending' and h.resume_at is null then 'failed'
                         else d.status end,
           next_attempt_at = case when ${ok} or h.resume_at is null then null
                                  else coalesce(d.next_attempt_at, nullif(h.resume_at, 'infinity')) end,
           attempts = d.attempts + 1, attempted_at = ${at}, status_code = ${result.status_code},
           error = ${result.error}, duration_ms = ${result.duration_ms},
           response_body = ${result.response_body}, manual = true,
           worker_lost = ${result.worker_lost}, updated_at = greatest(d.updated_at, ${at})
      from held h
      join before b on b.store_id = h.store_id and b.id = h.delivery_id
     where d.store_id = h.store_id and d.id = h.delivery_id
    returning d.endpoint_id, b.status as before, b.updated_at as before_at, d.status`.execute(tx)
  return rows[0]
}

/** Keeps a change of the endpoint wholly before or after the end of a manual attempt. */
export async function lockEndpointOf(tx: Tx, storeId: number, deliveryId: number): Promise<void> {
  await sql`
    select w.id
      from webhook_endpoint w
      join webhook_delivery d on d.store_id = w.store_id and d.endpoint_id = w.id
     where d.store_id = ${storeId} and d.id = ${deliveryId}
       for no key update of w`.execute(tx)
}

/** A success of any kind resets the count of failures (decision 14). */
export async function recordSuccess(
  tx: Tx,
  storeId: number,
  endpointId: number,
  at: string,
): Promise<void> {
  await tx
    .updateTable('webhook_endpoint')
    .set({ failures_in_row: 0, last_success_at: at })
    .where('store_id', '=', storeId)
    .where('id', '=', endpointId)
    .execute()
}

/**
 * Makes rows due whose time was set ahead of a clock that was put back: leases, and deliveries without
 * a failed attempt, which never wait for more than a second. First attempts need none of this: their
 * claim reads every row of the fan-out that is not leased.
 */
export async function endLeasesAhead(db: Db): Promise<void> {
  await sql`
    update webhook_retry
       set due_at = clock_timestamp()
     where (lease_token <> 0 or step = 0)
       and due_at > clock_timestamp() + interval '60 s' and due_at < 'infinity'`.execute(db)
}

const LOST_MAX = 100

/** Returns manual attempts whose process died before recording the result. */
export async function selectLostByHand(
  db: Db,
): Promise<{ store_id: number; delivery_id: number; token: number; clock_offset_ms: number }[]> {
  const { rows } = await sql<{
    store_id: number
    delivery_id: number
    token: number
    clock_offset_ms: number
  }>`
    select q.store_id, q.delivery_id, q.lease_token as token, s.clock_offset_ms
      from webhook_retry q
      join store s on s.id = q.store_id
     where q.by_hand and q.due_at <= clock_timestamp()
     limit ${LOST_MAX}`.execute(db)
  return rows
}

/** The time when the next manual lease expires. A lease ahead of the clock is due at once. */
export const nextLost: Expression = sql`
  least((select min(due_at) from webhook_retry where by_hand),
        (select to_timestamp(0)
           from webhook_retry
          where (lease_token <> 0 or step = 0)
            and due_at > clock_timestamp() + interval '60 s' and due_at < 'infinity'
          limit 1))`

/** The sealed secrets of the endpoint that a delivery goes to. */
export async function selectSecrets(
  db: Db,
  storeId: number,
  deliveryId: number,
): Promise<{ public_id: string; secret_enc: Buffer; prev_secret_enc: Buffer | null } | undefined> {
  const { rows } = await sql<{
    public_id: string
    secret_enc: Buffer
    prev_secret_enc: Buffer | null
  }>`
    select w.public_id, w.secret_enc, w.prev_secret_enc
      from webhook_endpoint w
     where w.store_id = ${storeId}
       and w.id = coalesce((select endpoint_id from webhook_delivery
                             where store_id = ${storeId} and id = ${deliveryId}),
                           (select endpoint_ids[${placeOf(deliveryId)}]
                              from webhook_fanout
                             where store_id = ${storeId} and no = ${eventNo(deliveryId)}))`.execute(
    db,
  )
  return rows[0]
}
