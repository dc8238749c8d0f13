import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

/** Deliveries that wait for an endpoint that was turned off are due never; running ones finish. */
export async function park(tx: Tx, storeId: number, endpointId: number): Promise<void> {
  await sql`
    with parked as (
      update webhook_retry set due_at = 'infinity'
       where store_id = ${storeId} and endpoint_id = ${endpointId} and lease_token = 0
      returning delivery_id
    )
    update webhook_delivery d set next_attempt_at = null
      from parked p
     where d.store_id = ${storeId} and d.id = p.delivery_id`.execute(tx)
}

/** Turned on again: what is still fresh is due now, what is older ends as failed (decision 18). */
export async function unpark(
  tx: Tx,
  storeId: number,
  endpointId: number,
  { oldest, now }: { oldest: string; now: string },
): Promise<void> {
  await sql`
    with ended as (
      delete from webhook_retry q
       using webhook_delivery d
       where q.store_id = ${storeId} and q.endpoint_id = ${endpointId} and q.due_at = 'infinity'
         and d.store_id = q.store_id and d.id = q.delivery_id and d.created_at < ${oldest}
      returning q.delivery_id
    ), failed as (
      update webhook_delivery d
         set status = 'failed', next_attempt_at = null, updated_at = greatest(d.updated_at, ${now}),
             error = coalesce(d.error, 'parked: the endpoint was turned off for longer than 21 hours')
        from ended e
       where d.store_id = ${storeId} and d.id = e.delivery_id
      returning d.id
    ), counted as (
      insert into webhook_stat_hour as s
             (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
      select ${storeId}, ${endpointId},
             date_trunc('hour', ${now}::timestamptz at time zone 'UTC') at time zone 'UTC',
             0, count(*), 0, ${now}::timestamptz
        from failed
      having count(*) > 0
          on conflict (store_id, endpoint_id, hour) do update
         set failed = s.failed + excluded.failed, last_at = greatest(s.last_at, excluded.last_at)
    ), released as (
      update webhook_retry q
         set due_at = clock_timestamp()
        from webhook_delivery d
       where q.store_id = ${storeId} and q.endpoint_id = ${endpointId} and q.due_at = 'infinity'
         and d.store_id = q.store_id and d.id = q.delivery_id and d.created_at >= ${oldest}
      returning q.delivery_id
    )
    update webhook_delivery d set next_attempt_at = ${now}
      from released r
     where d.store_id = ${storeId} and d.id = r.delivery_id`.execute(tx)
}

/** What waits for an endpoint that was deleted is over. A try that runs is recorded when it ends. */
export async function cancelWaiting(
  tx: Tx,
  storeId: number,
  endpointId: number,
  now: string,
): Promise<void> {
  await sql`
    with ended as (
      delete from webhook_retry
       where store_id = ${storeId} and endpoint_id = ${endpointId} and lease_token = 0
      returning delivery_id
    )
    update webhook_delivery d
       set status = 'cancelled', next_attempt_at = null, updated_at = greatest(d.updated_at, ${now})
      from ended e
     where d.store_id = ${storeId} and d.id = e.delivery_id`.execute(tx)
}
