import { sql } from 'kysely'
import type { Expression, Tx } from '../../../db/database.ts'

/**
 * A batch of the pending deliveries of an endpoint. Each of these functions returns the number that
 * it moved.
 */
export interface Share {
  endpoint_id: number
  limit: number
}

/** Deliveries that wait for an endpoint that was turned off are due never; running ones finish. */
export async function park(
  tx: Tx,
  storeId: number,
  { endpoint_id, limit }: Share,
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`-- planned anew
    with waiting as materialized (
      select store_id, delivery_id
        from webhook_retry
       where store_id = ${storeId} and endpoint_id = ${endpoint_id} and lease_token = 0
         and due_at < 'infinity'
       order by due_at, delivery_id
       limit ${limit}
         for update
    ), parked as (
      update webhook_retry q set due_at = 'infinity'
        from waiting w
       where q.store_id = w.store_id and q.delivery_id = w.delivery_id
    ), shown as (
      update webhook_delivery d set next_attempt_at = null
        from waiting w
       where d.store_id = w.store_id and d.id = w.delivery_id
    )
    select count(*) as moved from waiting`.execute(tx)
  return rows[0]?.moved ?? 0
}

/** Turned on again: recent deliveries are due now, older ones end as failed (decision 18). */
export async function unpark(
  tx: Tx,
  storeId: number,
  { endpoint_id, limit, oldest, now }: Share & { oldest: string; now: string },
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`-- planned anew
    with waiting as materialized (
      select q.store_id, q.delivery_id, d.created_at < ${oldest} as old
        from webhook_retry q
        join webhook_delivery d on d.store_id = q.store_id and d.id = q.delivery_id
       where q.store_id = ${storeId} and q.endpoint_id = ${endpoint_id} and q.due_at = 'infinity'
       order by q.delivery_id
       limit ${limit}
         for update of q
    ), ended as (
      delete from webhook_retry q
       using waiting w
       where w.old and q.store_id = w.store_id and q.delivery_id = w.delivery_id
    ), failed as (
      update webhook_delivery d
         set status = 'failed', next_attempt_at = null, updated_at = greatest(d.updated_at, ${now}),
             error = coalesce(d.error, 'parked: the endpoint was turned off for longer than 21 hours')
        from waiting w
       where w.old and d.store_id = w.store_id and d.id = w.delivery_id
      returning d.id
    ), counted as (
      insert into webhook_stat_hour as s
             (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
      select ${storeId}, ${endpoint_id},
             date_trunc('hour', ${now}::timestamptz at time zone 'UTC') at time zone 'UTC',
             0, count(*), 0, ${now}::timestamptz
        from failed
      having count(*) > 0
          on conflict (store_id, endpoint_id, hour) do update
         set failed = s.failed + excluded.failed, last_at = greatest(s.last_at, excluded.last_at)
    ), released as (
      update webhook_retry q
         set due_at = clock_timestamp()
        from waiting w
       where not w.old and q.store_id = w.store_id and q.delivery_id = w.delivery_id
    ), shown as (
      update webhook_delivery d set next_attempt_at = ${now}
        from waiting w
       where not w.old and d.store_id = w.store_id and d.id = w.delivery_id
    )
    select count(*) as moved from waiting`.execute(tx)
  return rows[0]?.moved ?? 0
}

/** Cancels deliveries of a deleted endpoint. A running attempt is recorded when it ends. */
export async function cancelWaiting(
  tx: Tx,
  storeId: number,
  { endpoint_id, limit, now }: Share & { now: string },
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`-- planned anew
    with waiting as materialized (
      select store_id, delivery_id
        from webhook_retry
       where store_id = ${storeId} and endpoint_id = ${endpoint_id} and lease_token = 0
       order by due_at, delivery_id
       limit ${limit}
         for update
    ), ended as (
      delete from webhook_retry q
       using waiting w
       where q.store_id = w.store_id and q.delivery_id = w.delivery_id
    ), shown as (
      update webhook_delivery d
         set status = 'cancelled', next_attempt_at = null, updated_at = greatest(d.updated_at, ${now})
        from waiting w
       where d.store_id = w.store_id and d.id = w.delivery_id
    )
    select count(*) as moved from waiting`.execute(tx)
  return rows[0]?.moved ?? 0
}

/** Sets or clears the mark of an endpoint with more deliveries than one statement moves. */
export async function setMoving(
  tx: Tx,
  storeId: number,
  endpointId: number,
  moving: boolean,
): Promise<void> {
  await sql`
    update webhook_endpoint set moving = ${moving}
     where store_id = ${storeId} and id = ${endpointId} and moving <> ${moving}`.execute(tx)
}

export interface MovingEndpoint {
  store_id: number
  id: number
  state: 'on' | 'off' | 'deleted'
  clock_offset_ms: number
}

/** An endpoint for which more waits than was moved, locked against changes of its state. */
export async function lockMoving(tx: Tx): Promise<MovingEndpoint | undefined> {
  const { rows } = await sql<MovingEndpoint>`
    select w.store_id, w.id, s.clock_offset_ms,
           case when w.deleted_at is not null then 'deleted'
                when w.enabled and w.listening_until is null then 'on'
                else 'off' end as state
      from webhook_endpoint w
      join store s on s.id = w.store_id
     where w.moving
     order by w.id
     limit 1
       for update of w skip locked`.execute(tx)
  return rows[0]
}

/** An endpoint whose queue is being moved is due at once. */
export const nextMove: Expression = sql`
  (select to_timestamp(0) from webhook_endpoint where moving limit 1)`
