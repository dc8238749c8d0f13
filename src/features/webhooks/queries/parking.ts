import { sql } from 'kysely'
import type { Expression, Tx } from '../../../db/database.ts'
import { execute, firstRow, onlyValue, REPLANNED } from '../../../db/rows.ts'

/** A batch of the pending deliveries of an endpoint. The functions return the number of moved deliveries. */
interface ParkingBatch {
  endpoint_id: number
  limit: number
}

/** Parks the deliveries of an endpoint that was turned off: sets their due time to infinity. Running attempts finish. */
export const park = (tx: Tx, storeId: number, { endpoint_id, limit }: ParkingBatch) =>
  onlyValue<number>(tx)`${REPLANNED}
    with batch as materialized (
      select store_id, delivery_id
        from webhook_retry
       where store_id = ${storeId} and endpoint_id = ${endpoint_id} and lease_token = 0
         and due_at < 'infinity'
       order by due_at, delivery_id
       limit ${limit}
         for update
    ), parked as (
      update webhook_retry retry set due_at = 'infinity'
        from batch b
       where retry.store_id = b.store_id and retry.delivery_id = b.delivery_id
    ), deliveries as (
      update webhook_delivery d set next_attempt_at = null
        from batch b
       where d.store_id = b.store_id and d.id = b.delivery_id
    )
    select count(*) as moved from batch`

/** Makes the deliveries of an enabled endpoint due. Deliveries before `oldest` fail (decision 18). */
export const unpark = (
  tx: Tx,
  storeId: number,
  { endpoint_id, limit, oldest, now }: ParkingBatch & { oldest: string; now: string },
) =>
  onlyValue<number>(tx)`${REPLANNED}
    with batch as materialized (
      select retry.store_id, retry.delivery_id, d.created_at < ${oldest} as too_old
        from webhook_retry retry
        join webhook_delivery d on d.store_id = retry.store_id and d.id = retry.delivery_id
       where retry.store_id = ${storeId} and retry.endpoint_id = ${endpoint_id} and retry.due_at = 'infinity'
       order by retry.delivery_id
       limit ${limit}
         for update of retry
    ), deleted as (
      delete from webhook_retry retry
       using batch b
       where b.too_old and retry.store_id = b.store_id and retry.delivery_id = b.delivery_id
    ), failed as (
      update webhook_delivery d
         set status = 'failed', next_attempt_at = null, updated_at = greatest(d.updated_at, ${now}),
             error = coalesce(d.error, 'parked: the endpoint was turned off for longer than 21 hours')
        from batch b
       where b.too_old and d.store_id = b.store_id and d.id = b.delivery_id
      returning d.id
    ), stats as (
      insert into webhook_stat_hour as s
             (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
      select ${storeId}, ${endpoint_id},
             date_trunc('hour', ${now}::timestamptz at time zone 'UTC') at time zone 'UTC',
             0, count(*), 0, ${now}::timestamptz
        from failed
      having count(*) > 0
          on conflict (store_id, endpoint_id, hour) do update
         set failed = s.failed + excluded.failed, last_at = greatest(s.last_at, excluded.last_at)
    ), retries as (
      update webhook_retry retry
         set due_at = clock_timestamp()
        from batch b
       where not b.too_old and retry.store_id = b.store_id and retry.delivery_id = b.delivery_id
    ), deliveries as (
      update webhook_delivery d set next_attempt_at = ${now}
        from batch b
       where not b.too_old and d.store_id = b.store_id and d.id = b.delivery_id
    )
    select count(*) as moved from batch`

/** Cancels the deliveries of a deleted endpoint, except running attempts. */
export const cancelPending = (
  tx: Tx,
  storeId: number,
  { endpoint_id, limit, now }: ParkingBatch & { now: string },
) =>
  onlyValue<number>(tx)`${REPLANNED}
    with batch as materialized (
      select store_id, delivery_id
        from webhook_retry
       where store_id = ${storeId} and endpoint_id = ${endpoint_id} and lease_token = 0
       order by due_at, delivery_id
       limit ${limit}
         for update
    ), deleted as (
      delete from webhook_retry retry
       using batch b
       where retry.store_id = b.store_id and retry.delivery_id = b.delivery_id
    ), deliveries as (
      update webhook_delivery d
         set status = 'cancelled', next_attempt_at = null, updated_at = greatest(d.updated_at, ${now})
        from batch b
       where d.store_id = b.store_id and d.id = b.delivery_id
    )
    select count(*) as moved from batch`

/** Marks an endpoint that has more pending deliveries than one statement moves, or clears the mark. */
export const setMoving = (tx: Tx, storeId: number, endpointId: number, isMoving: boolean) =>
  execute(tx)`
    update webhook_endpoint set moving = ${isMoving}
     where store_id = ${storeId} and id = ${endpointId} and moving <> ${isMoving}`

/** An endpoint whose pending deliveries are moved according to its state. */
export interface MovingEndpoint {
  store_id: number
  id: number
  state: 'on' | 'off' | 'deleted'
}

/** Locks an endpoint whose pending deliveries are not all moved yet. */
export const lockMoving = (tx: Tx) =>
  firstRow<MovingEndpoint & { clock_offset_ms: number }>(tx)`
    select w.store_id, w.id, s.clock_offset_ms,
           case when w.deleted_at is not null then 'deleted'
                when w.enabled and w.listening_until is null then 'on'
                else 'off' end as state
      from webhook_endpoint w
      join store s on s.id = w.store_id
     where w.moving
     order by w.id
     limit 1
       for update of w skip locked`

/** The due time of the job: at once if an endpoint has deliveries to move. */
export const nextMove: Expression = sql`
  (select to_timestamp(0) from webhook_endpoint where moving limit 1)`
