import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { allRows, REPLANNED } from '../../../db/rows.ts'
import { COUNTED_MAX, type Counts } from './schema.ts'

/** A webhook endpoint with this many failures in a row counts as failing. */
const FAILING_MIN = 10

/**
 * Counts the records of each store that need action by the team. Each count reads an index and stops at
 * its limit. `offset 0` keeps the planner from counting the orders once for each column.
 */
export async function selectCounts(
  db: Db,
  storeIds: readonly number[],
): Promise<Map<number, Counts>> {
  const countUpToMax = (from: ReturnType<typeof sql>) =>
    sql`(select count(*)::int from (select ${from} limit ${sql.lit(COUNTED_MAX)}) x)`
  const { rows } = await sql<Counts & { store_id: number }>`
    select o.store_id, least(${sql.lit(COUNTED_MAX)}, to_review + to_deliver + to_ship) as orders,
           to_review, to_deliver, to_ship,
           ${countUpToMax(sql`from payment p where p.store_id = o.store_id and p.status = 'disputed'
                       and p.dispute ->> 'status' = 'open'`)} as disputes,
           ${countUpToMax(sql`from ticket t where t.store_id = o.store_id and t.awaiting = 'seller'`)} as tickets,
           ${countUpToMax(sql`from question q where q.store_id = o.store_id and q.status = 'pending'`)} as questions,
           ${countUpToMax(sql`from order_return r where r.store_id = o.store_id
                       and r.status in ('requested', 'approved', 'received')`)} as returns,
           ${countUpToMax(sql`from affiliate_payout p where p.store_id = o.store_id
                       and p.status = 'requested'`)} as payouts,
           ${countUpToMax(sql`from webhook_endpoint w where w.store_id = o.store_id and w.deleted_at is null
                       and (w.disabled_reason = 'failures'
                            or w.enabled and w.failures_in_row >= ${sql.lit(FAILING_MIN)})`)} as endpoints
      from (select s.id as store_id,
                   ${countUpToMax(sql`from "order" o where o.store_id = s.id
                               and o.status = 'manual_review'`)} as to_review,
                   ${countUpToMax(sql`from "order" o where o.store_id = s.id
                               and o.status = 'paid' and o.hold is null`)} as to_deliver,
                   ${countUpToMax(sql`from "order" o where o.store_id = s.id and o.status = 'completed'
                               and o.fulfillment_status in ('unfulfilled', 'partial')
                               and o.hold is null`)} as to_ship
              from unnest(${storeIds}::bigint[]) as s(id)
            offset 0) o`.execute(db)
  return new Map(rows.map(({ store_id, ...counts }) => [store_id, counts]))
}

export interface LedgerEvent {
  store_id: number
  no: number
  tag: number
  type: string
  object_id: string
  created_at: string
}

/** The part of a store's ledger that was read: the events up to a number, and single later ones. */
export interface ReadPosition {
  store_id: number
  readUpTo: number
  /** The numbers of the later events that were read. */
  laterNumbers: readonly number[]
}

/**
 * Returns the newest unread events in the order of their numbers. Numbers are drawn before their
 * transaction commits, so an unread event may have a lower number than one that was read.
 */
export async function selectNewEvents(
  db: Db,
  positions: readonly ReadPosition[],
  limit: number,
): Promise<LedgerEvent[]> {
  const parts = positions.map(
    ({ store_id, readUpTo, laterNumbers }) => sql`(
      select store_id, no, tag, type, object_id, created_at
        from event
       where store_id = ${store_id} and no > ${readUpTo} and no <> all(${laterNumbers}::bigint[]) and not test
       order by no desc
       limit ${limit})`,
  )
  const { rows } = await sql<LedgerEvent>`${REPLANNED}
    ${sql.join(parts, sql` union all `)}`.execute(db)
  return rows.sort((item, other) => item.no - other.no)
}

/** Returns the numbers of a store's newest events, samples included. */
export async function selectNewestNumbers(
  db: Db,
  storeId: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('event')
    .select('no')
    .where('store_id', '=', storeId)
    .orderBy('no', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ no }) => no)
}

/**
 * Returns the events created since `overlap_ms` before the event `no`, or undefined if there is no such
 * event or it is older than `age_max_ms` by the clock of its store.
 */
export async function selectEventsSince(
  db: Db,
  { store_id, no, now }: { store_id: number; no: number; now: string },
  { age_max_ms, overlap_ms, limit }: { age_max_ms: number; overlap_ms: number; limit: number },
): Promise<LedgerEvent[] | undefined> {
  const { rows } = await sql<LedgerEvent>`
    with last as materialized (
      select e.created_at
        from event e
        join store s on s.id = e.store_id
       where e.store_id = ${store_id} and e.no = ${no}
         and e.created_at > ${now}::timestamptz
                            + (s.clock_offset_ms - ${age_max_ms}) * interval '1 ms'
    ), missed as (
      select e.store_id, e.no, e.tag, e.type, e.object_id, e.created_at
        from event e
       where e.store_id = ${store_id} and not e.test and e.no <> ${no}
         and e.created_at >= (select created_at - ${overlap_ms} * interval '1 ms' from last)
       order by e.created_at
       limit ${limit}
    )
    select missed.*
      from last
      left join missed on true`.execute(db)
  // Without missed events the join returns one row of nulls.
  if (rows.length === 0) return undefined
  return rows.filter((row) => row.no !== null).sort((item, other) => item.no - other.no)
}

export interface LiveDelivery {
  store_id: number
  id: number
  webhook_id: string
  event_type: string
  status: string
  attempts: number
  status_code: number | null
  updated_at: string
}

/**
 * Returns the states of three groups of deliveries of each store: the newest from an id on, those that
 * wait for a retry, and those that were pending at the last poll. The id of a delivery without its last 5 bits is the
 * number of its event.
 */
export function selectDeliveries(
  db: Db,
  positions: readonly { store_id: number; from: number; pendingIds: readonly number[] }[],
  limit: number,
) {
  const parts = positions.map(
    ({ store_id, from, pendingIds }) => sql`(
      select d.store_id, d.id, d.endpoint_id, d.status, d.attempts, d.status_code, d.updated_at
        from webhook_delivery d
       where d.store_id = ${store_id}
         and d.id in (
           (select id from webhook_delivery
             where store_id = ${store_id} and id >= ${from}
             order by id desc limit ${limit})
           union
           (select delivery_id from webhook_retry
             where store_id = ${store_id}
             order by delivery_id desc limit ${limit})
           union
           select unnest(${pendingIds}::bigint[])))`,
  )
  return allRows<LiveDelivery>(db)`${REPLANNED}
    select d.store_id, d.id, w.public_id as webhook_id, e.type as event_type, d.status, d.attempts,
           d.status_code, d.updated_at
      from (${sql.join(parts, sql` union all `)}) d
      join webhook_endpoint w on w.store_id = d.store_id and w.id = d.endpoint_id
      join event e on e.store_id = d.store_id and e.no = d.id >> 5
     order by d.id`
}
