import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { WORKER_LOST } from '../outcome-texts.ts'
import { deliveryAt } from './delivery-id.ts'
import { keepAttempts } from './history.ts'

/** The result of one attempt, as it is recorded. */
export interface ResultRow {
  store_id: number
  delivery_id: number
  endpoint_id: number
  token: number
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled'
  /** Attempts so far, this one included; 0 for a delivery that only waits. */
  attempts: number
  /** Milliseconds until the next attempt; null if there is none, or the delivery is parked. */
  wait_ms: number | null
  step: number
  status_code: number | null
  error: string | null
  duration_ms: number | null
  response_body: string | null
  created_at: string
  /** The moment by the store's clock, ISO 8601. */
  at: string
}

/** The results as a set of rows `r`. */
export const columnsOf = (rows: readonly ResultRow[]) => {
  const column = <K extends keyof ResultRow>(name: K) => rows.map((row) => row[name])
  return sql`unnest(
    ${column('store_id')}::bigint[], ${column('delivery_id')}::bigint[], ${column('endpoint_id')}::bigint[],
    ${column('token')}::bigint[], ${column('status')}::text[], ${column('attempts')}::int[],
    ${column('wait_ms')}::bigint[], ${column('step')}::int[], ${column('status_code')}::int[],
    ${column('error')}::text[], ${column('duration_ms')}::int[], ${column('response_body')}::text[],
    ${column('created_at')}::timestamptz[], ${column('at')}::timestamptz[])
    as r(store_id, delivery_id, endpoint_id, token, status, attempts, wait_ms, step, status_code, error,
         duration_ms, response_body, created_at, at)`
}

/**
 * Writes deliveries whose first attempt is over, and puts those that go on into the retry lane. One that
 * has a row already was salvaged meanwhile: the late result is dropped, the retry decides. Events of
 * which every position is recorded need no fan-out any more.
 */
export async function insertFirstResults(
  tx: Tx,
  rows: readonly ResultRow[],
  finished: readonly FinishedEvent[],
): Promise<number[]> {
  if (rows.length === 0) return []
  const { rows: written } = await sql<{ id: number }>`-- planned anew
    with r as materialized (select * from ${columnsOf(rows)}), written as (
      insert into webhook_delivery
             (store_id, id, endpoint_id, status, attempts, next_attempt_at, attempted_at, status_code,
              error, duration_ms, response_body, created_at, updated_at)
      select store_id, delivery_id, endpoint_id, status, attempts, at + wait_ms * interval '1 ms',
             case when attempts > 0 then at end, status_code, error, duration_ms, response_body,
             created_at, at
        from r
          on conflict (store_id, id) do nothing
      returning store_id, id
    ), waiting as (
      insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
      select r.store_id, r.delivery_id, r.endpoint_id, r.step,
             coalesce(clock_timestamp() + r.wait_ms * interval '1 ms', 'infinity')
        from r
        join written w on w.store_id = r.store_id and w.id = r.delivery_id
       where r.status = 'pending'
    ), finished as (
      delete from webhook_fanout f
       using ${eventsOf(finished)}
       where f.store_id = x.store_id and f.no = x.no and f.lease_token = x.token
    )
    select id from written`.execute(tx)
  return written.map((row) => row.id)
}

export interface FinishedEvent {
  store_id: number
  no: number
  token: number
}

const eventsOf = (events: readonly FinishedEvent[]) => sql`
  unnest(${events.map((item) => item.store_id)}::bigint[], ${events.map((item) => item.no)}::bigint[],
         ${events.map((item) => item.token)}::bigint[]) as x(store_id, no, token)`

/** Writes results of retries whose lease still holds; the attempt before moves into the history. */
export async function updateRetryResults(tx: Tx, rows: readonly ResultRow[]): Promise<number[]> {
  if (rows.length === 0) return []
  const { rows: written } = await sql<{ id: number }>`-- planned anew
    with r as materialized (select * from ${columnsOf(rows)}), ended as (
      delete from webhook_retry q
       using r
       where r.status <> 'pending' and q.store_id = r.store_id and q.delivery_id = r.delivery_id
         and q.lease_token = r.token
      returning q.store_id, q.delivery_id
    ), waiting as (
      update webhook_retry q
         set due_at = coalesce(clock_timestamp() + r.wait_ms * interval '1 ms', 'infinity'),
             lease_token = 0, step = r.step
        from r
       where r.status = 'pending' and q.store_id = r.store_id and q.delivery_id = r.delivery_id
         and q.lease_token = r.token
      returning q.store_id, q.delivery_id
    ), held as (
      select * from ended union all select * from waiting
    ), older as (
      ${keepAttempts(sql`
        join held h on h.store_id = d.store_id and h.delivery_id = d.id
        join r on r.store_id = d.store_id and r.delivery_id = d.id and r.attempts > d.attempts`)}
    )
    update webhook_delivery d
       set status = r.status, attempts = r.attempts, next_attempt_at = r.at + r.wait_ms * interval '1 ms',
           attempted_at = case when r.attempts > d.attempts then r.at else d.attempted_at end,
           status_code = case when r.attempts > d.attempts then r.status_code else d.status_code end,
           error = case when r.attempts > d.attempts then r.error else d.error end,
           duration_ms = case when r.attempts > d.attempts then r.duration_ms else d.duration_ms end,
           response_body = case when r.attempts > d.attempts then r.response_body else d.response_body end,
           manual = d.manual and r.attempts = d.attempts,
           worker_lost = d.worker_lost and r.attempts = d.attempts,
           updated_at = greatest(d.updated_at, r.at)
      from r
      join held h on h.store_id = r.store_id and h.delivery_id = r.delivery_id
     where d.store_id = r.store_id and d.id = r.delivery_id
    returning d.id`.execute(tx)
  return written.map((row) => row.id)
}

export interface EndpointHealth {
  store_id: number
  id: number
  enabled: boolean
  deleted: boolean
  failures_in_row: number
  last_success_at: string | null
}

/** The results of a batch for one endpoint, summed up. */
export interface Report {
  endpoint_id: number
  /** True if every result is a success. */
  well: boolean
  at: string
}

/**
 * Locks the endpoints whose health changes, always in the order of their ids, and reads their
 * health. One that continues to succeed is left alone: its latest success is known to the second.
 */
export async function lockHealth(tx: Tx, reports: readonly Report[]): Promise<EndpointHealth[]> {
  const { rows } = await sql<EndpointHealth>`
    select w.store_id, w.id, w.enabled and w.listening_until is null as enabled,
           w.deleted_at is not null as deleted, w.failures_in_row, w.last_success_at
      from webhook_endpoint w
      join unnest(${reports.map((item) => item.endpoint_id)}::bigint[],
                  ${reports.map((item) => item.well)}::boolean[],
                  ${reports.map((item) => item.at)}::timestamptz[]) as r(id, well, at) on r.id = w.id
     where not r.well or w.failures_in_row > 0
        or coalesce(w.last_success_at < r.at - interval '1 s', true)
     order by w.id
       for no key update of w`.execute(tx)
  return rows
}

export async function updateHealth(tx: Tx, rows: readonly EndpointHealth[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update webhook_endpoint w
       set failures_in_row = h.failures_in_row, last_success_at = h.last_success_at
      from unnest(${rows.map((item) => item.id)}::bigint[], ${rows.map((item) => item.failures_in_row)}::int[],
                  ${rows.map((item) => item.last_success_at)}::timestamptz[])
        as h(id, failures_in_row, last_success_at)
     where w.id = h.id`.execute(tx)
}

/**
 * Events that another worker claimed and did not finish: a delivery without a row may have been
 * sent, so it gets a lost attempt, and is due again at once.
 */
export async function salvageEvents(tx: Tx, events: readonly FinishedEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`-- planned anew
    with lost as (
      delete from webhook_fanout f
       using ${eventsOf(events)}
       where f.store_id = x.store_id and f.no = x.no and f.lease_token = x.token
      returning f.store_id, f.no, f.endpoint_ids
    ), written as (
      insert into webhook_delivery (store_id, id, endpoint_id, status, attempts, next_attempt_at,
                                    attempted_at, error, worker_lost, created_at, updated_at)
      select l.store_id, ${deliveryAt('l.no', 'x.place')}, x.endpoint_id, 'pending', 1, m.at, m.at,
             ${WORKER_LOST}, true, e.created_at, m.at
        from lost l
        join event e on e.store_id = l.store_id and e.no = l.no
        join store s on s.id = l.store_id
        cross join lateral (
          select clock_timestamp() + s.clock_offset_ms * interval '1 ms' as at) m
        cross join lateral unnest(l.endpoint_ids) with ordinality as x(endpoint_id, place)
       where x.endpoint_id <> 0
          on conflict (store_id, id) do nothing
      returning store_id, id, endpoint_id
    )
    insert into webhook_retry (store_id, delivery_id, endpoint_id, step, lost, due_at)
    select store_id, id, endpoint_id, 0, 1, clock_timestamp()
      from written`.execute(tx)
}

export interface LostRetry {
  store_id: number
  delivery_id: number
}

/** Retries that another worker claimed and did not finish: the lost attempt counts as an attempt. */
export async function recordLostRetries(tx: Tx, rows: readonly LostRetry[]): Promise<void> {
  if (rows.length === 0) return
  await sql`-- planned anew
    with x as materialized (
      select * from unnest(${rows.map((item) => item.store_id)}::bigint[],
                           ${rows.map((item) => item.delivery_id)}::bigint[]) as x(store_id, delivery_id)
    ), older as (
      ${keepAttempts(sql`join x on x.store_id = d.store_id and x.delivery_id = d.id`)}
    )
    update webhook_delivery d
       set attempts = d.attempts + 1, error = ${WORKER_LOST}, worker_lost = true, manual = false,
           status_code = null, duration_ms = null, response_body = null,
           attempted_at = clock_timestamp() + s.clock_offset_ms * interval '1 ms',
           updated_at = greatest(d.updated_at, clock_timestamp() + s.clock_offset_ms * interval '1 ms')
      from x, store s
     where d.store_id = x.store_id and d.id = x.delivery_id and s.id = d.store_id`.execute(tx)
}
