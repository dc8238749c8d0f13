import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { allRows, REPLANNED } from '../../../db/rows.ts'
import { WORKER_LOST } from '../outcome-texts.ts'
import { deliveryAt } from './delivery-id.ts'
import { archiveAttempts } from './history.ts'

/** The result of one attempt as it is recorded. */
export interface ResultRow {
  store_id: number
  delivery_id: number
  endpoint_id: number
  token: number
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled'
  /** The number of attempts, including this one; 0 for a delivery without any. */
  attempts: number
  /** Milliseconds until the next attempt; null if there is none, or the delivery is parked. */
  wait_ms: number | null
  step: number
  status_code: number | null
  error: string | null
  duration_ms: number | null
  response_body: string | null
  /** The time when the request was signed, by the clock of the machine, ISO 8601. Null if nothing was sent. */
  signed_at: string | null
  created_at: string
  /** The moment by the store's clock, ISO 8601. */
  at: string
}

/** SQL for the results as rows with the alias `result`. */
export const resultRows = (rows: readonly ResultRow[]) => {
  const column = <K extends keyof ResultRow>(name: K) => rows.map((row) => row[name])
  return sql`unnest(
    ${column('store_id')}::bigint[], ${column('delivery_id')}::bigint[], ${column('endpoint_id')}::bigint[],
    ${column('token')}::bigint[], ${column('status')}::text[], ${column('attempts')}::int[],
    ${column('wait_ms')}::bigint[], ${column('step')}::int[], ${column('status_code')}::int[],
    ${column('error')}::text[], ${column('duration_ms')}::int[], ${column('response_body')}::text[],
    ${column('signed_at')}::timestamptz[], ${column('created_at')}::timestamptz[], ${column('at')}::timestamptz[])
    as result(store_id, delivery_id, endpoint_id, token, status, attempts, wait_ms, step, status_code, error,
         duration_ms, response_body, signed_at, created_at, at)`
}

/**
 * Inserts deliveries after their first attempt, and adds the pending ones to the retry lane. If a delivery has a
 * row already, its first attempt was recorded as lost, so this late result is dropped. Deletes the fan-outs of
 * events whose deliveries are all recorded.
 */
export async function insertFirstResults(
  tx: Tx,
  rows: readonly ResultRow[],
  finishedEvents: readonly EventLease[],
): Promise<number[]> {
  if (rows.length === 0) return []
  const { rows: deliveries } = await sql<{ id: number }>`${REPLANNED}
    with result as materialized (select * from ${resultRows(rows)}), written as (
      insert into webhook_delivery
             (store_id, id, endpoint_id, status, attempts, next_attempt_at, attempted_at, status_code,
              error, duration_ms, response_body, signed_at, created_at, updated_at)
      select store_id, delivery_id, endpoint_id, status, attempts, at + wait_ms * interval '1 ms',
             case when attempts > 0 then at end, status_code, error, duration_ms, response_body,
             signed_at, created_at, at
        from result
          on conflict (store_id, id) do nothing
      returning store_id, id
    ), queued as (
      insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
      select result.store_id, result.delivery_id, result.endpoint_id, result.step,
             coalesce(clock_timestamp() + result.wait_ms * interval '1 ms', 'infinity')
        from result
        join written w on w.store_id = result.store_id and w.id = result.delivery_id
       where result.status = 'pending'
    ), finished as (
      delete from webhook_fanout f
       using ${leasesOf(finishedEvents)}
       where f.store_id = lease.store_id and f.no = lease.no
         and f.lease_token = lease.token
    )
    select id from written`.execute(tx)
  return deliveries.map((row) => row.id)
}

export interface EventLease {
  store_id: number
  no: number
  token: number
}

const leasesOf = (events: readonly EventLease[]) => sql`
  unnest(${events.map((item) => item.store_id)}::bigint[], ${events.map((item) => item.no)}::bigint[],
         ${events.map((item) => item.token)}::bigint[]) as lease(store_id, no, token)`

/** Writes the results of retries whose lease is still valid. Moves the previous attempts into the history. */
export async function updateRetryResults(tx: Tx, rows: readonly ResultRow[]): Promise<number[]> {
  if (rows.length === 0) return []
  const { rows: deliveries } = await sql<{ id: number }>`${REPLANNED}
    with result as materialized (select * from ${resultRows(rows)}), ended as (
      delete from webhook_retry retry
       using result
       where result.status <> 'pending' and retry.store_id = result.store_id and retry.delivery_id = result.delivery_id
         and retry.lease_token = result.token
      returning retry.store_id, retry.delivery_id
    ), queued as (
      update webhook_retry retry
         set due_at = coalesce(clock_timestamp() + result.wait_ms * interval '1 ms', 'infinity'),
             lease_token = 0, step = result.step
        from result
       where result.status = 'pending' and retry.store_id = result.store_id and retry.delivery_id = result.delivery_id
         and retry.lease_token = result.token
      returning retry.store_id, retry.delivery_id
    ), leased as (
      select * from ended union all select * from queued
    ), archived as (
      ${archiveAttempts(sql`
        join leased l on l.store_id = d.store_id and l.delivery_id = d.id
        join result on result.store_id = d.store_id and result.delivery_id = d.id and result.attempts > d.attempts`)}
    )
    update webhook_delivery d
       set status = result.status, attempts = result.attempts, next_attempt_at = result.at + result.wait_ms * interval '1 ms',
           attempted_at = case when result.attempts > d.attempts then result.at else d.attempted_at end,
           status_code = case when result.attempts > d.attempts then result.status_code else d.status_code end,
           error = case when result.attempts > d.attempts then result.error else d.error end,
           duration_ms = case when result.attempts > d.attempts then result.duration_ms else d.duration_ms end,
           response_body = case when result.attempts > d.attempts then result.response_body else d.response_body end,
           signed_at = case when result.attempts > d.attempts then result.signed_at else d.signed_at end,
           manual = d.manual and result.attempts = d.attempts,
           worker_lost = d.worker_lost and result.attempts = d.attempts,
           updated_at = greatest(d.updated_at, result.at)
      from result
      join leased l on l.store_id = result.store_id and l.delivery_id = result.delivery_id
     where d.store_id = result.store_id and d.id = result.delivery_id
    returning d.id`.execute(tx)
  return deliveries.map((row) => row.id)
}

export interface LockedHealth {
  store_id: number
  id: number
  enabled: boolean
  deleted: boolean
  failures_in_row: number
  last_success_at: string | null
}

/** The sum of the results of a batch for one endpoint. */
export interface HealthReport {
  endpoint_id: number
  all_succeeded: boolean
  at: string
}

/**
 * Locks the endpoints whose health changes, in the order of their ids, and reads their health. Skips an
 * endpoint if all its results succeeded and its stored success is less than a second old. Any other result
 * needs the lock, because a retry depends on the state of the endpoint.
 */
export const lockHealth = (tx: Tx, reports: readonly HealthReport[]) =>
  allRows<LockedHealth>(tx)`
    select w.store_id, w.id, w.enabled and w.listening_until is null as enabled,
           w.deleted_at is not null as deleted, w.failures_in_row, w.last_success_at
      from webhook_endpoint w
      join unnest(${reports.map((item) => item.endpoint_id)}::bigint[],
                  ${reports.map((item) => item.all_succeeded)}::boolean[],
                  ${reports.map((item) => item.at)}::timestamptz[]) as report(id, all_succeeded, at) on report.id = w.id
     where not report.all_succeeded or w.failures_in_row > 0
        or coalesce(w.last_success_at < report.at - interval '1 s', true)
     order by w.id
       for no key update of w`

export async function updateHealth(tx: Tx, rows: readonly LockedHealth[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update webhook_endpoint w
       set failures_in_row = health.failures_in_row, last_success_at = health.last_success_at
      from unnest(${rows.map((item) => item.id)}::bigint[], ${rows.map((item) => item.failures_in_row)}::int[],
                  ${rows.map((item) => item.last_success_at)}::timestamptz[])
        as health(id, failures_in_row, last_success_at)
     where w.id = health.id`.execute(tx)
}

/**
 * Records events that another worker claimed and did not finish. A delivery without a row may have been sent,
 * so it gets a lost attempt and is due again at once.
 */
export async function recordLostEvents(tx: Tx, events: readonly EventLease[]): Promise<void> {
  if (events.length === 0) return
  await sql`${REPLANNED}
    with lost as (
      delete from webhook_fanout f
       using ${leasesOf(events)}
       where f.store_id = lease.store_id and f.no = lease.no
         and f.lease_token = lease.token
      returning f.store_id, f.no, f.endpoint_ids
    ), written as (
      insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, next_attempt_at,
                                    attempted_at, error, worker_lost, created_at, updated_at)
      select l.store_id, ${deliveryAt('l.no', 'entry.position')}, entry.endpoint_id, 'pending', 1, moment.at, moment.at,
             ${WORKER_LOST}, true, e.created_at, moment.at
        from lost l
        join event e on e.store_id = l.store_id and e.no = l.no
        join store s on s.id = l.store_id
        cross join lateral (
          select clock_timestamp() + s.clock_offset_ms * interval '1 ms' as at) moment
        cross join lateral unnest(l.endpoint_ids) with ordinality as entry(endpoint_id, position)
       where entry.endpoint_id <> 0
          on conflict (store_id, id) do nothing
      returning store_id, id, endpoint_id
    )
    insert into webhook_retry (store_id, delivery_id, endpoint_id, step, lost, due_at)
    select store_id, id, endpoint_id, 0, 1, clock_timestamp()
      from written`.execute(tx)
}

interface LostRetry {
  store_id: number
  delivery_id: number
}

/** Records retries that another worker claimed and did not finish. The lost attempt counts as an attempt. */
export async function recordLostRetries(tx: Tx, rows: readonly LostRetry[]): Promise<void> {
  if (rows.length === 0) return
  await sql`${REPLANNED}
    with lost_retry as materialized (
      select * from unnest(${rows.map((item) => item.store_id)}::bigint[],
                           ${rows.map((item) => item.delivery_id)}::bigint[]) as lost_retry(store_id, delivery_id)
    ), archived as (
      ${archiveAttempts(sql`join lost_retry on lost_retry.store_id = d.store_id and lost_retry.delivery_id = d.id`)}
    )
    update webhook_delivery d
       set attempts = d.attempts + 1, error = ${WORKER_LOST}, worker_lost = true, manual = false,
           status_code = null, duration_ms = null, response_body = null, signed_at = null,
           attempted_at = clock_timestamp() + s.clock_offset_ms * interval '1 ms',
           updated_at = greatest(d.updated_at, clock_timestamp() + s.clock_offset_ms * interval '1 ms')
      from lost_retry, store s
     where d.store_id = lost_retry.store_id and d.id = lost_retry.delivery_id and s.id = d.store_id`.execute(
    tx,
  )
}
