import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { COUNTED_MAX, type Counts } from './schema.ts'

/** An endpoint with as many failures in a row is failing. */
const FAILING = 10

/**
 * Counts the records of each store that wait for a person. Each count reads an index and stops at
 * its limit.
 */
export async function selectCounts(
  db: Db,
  storeIds: readonly number[],
): Promise<Map<number, Counts>> {
  const upTo = (from: ReturnType<typeof sql>) =>
    sql`(select count(*)::int from (select ${from} limit ${sql.lit(COUNTED_MAX)}) x)`
  const { rows } = await sql<Counts & { store_id: number }>`
    select s.id as store_id,
           least(${sql.lit(COUNTED_MAX)},
             ${upTo(sql`from "order" o where o.store_id = s.id and o.status = 'manual_review'`)}
             + ${upTo(sql`from "order" o where o.store_id = s.id and o.status = 'paid'`)}
             + ${upTo(sql`from "order" o where o.store_id = s.id and o.status = 'completed'
                            and o.fulfillment_status in ('unfulfilled', 'partial')`)}) as orders,
           ${upTo(sql`from ticket t where t.store_id = s.id and t.awaiting = 'seller'`)} as tickets,
           ${upTo(sql`from question q where q.store_id = s.id and q.status = 'pending'`)} as questions,
           ${upTo(sql`from order_return r where r.store_id = s.id
                       and r.status in ('requested', 'approved', 'received')`)} as returns,
           ${upTo(sql`from affiliate_payout p where p.store_id = s.id
                       and p.status = 'requested'`)} as payouts,
           ${upTo(sql`from webhook_endpoint w where w.store_id = s.id and w.deleted_at is null
                       and (w.disabled_reason = 'failures'
                            or w.enabled and w.failures_in_row >= ${sql.lit(FAILING)})`)} as endpoints
      from unnest(${storeIds}::bigint[]) as s(id)`.execute(db)
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

/** The part of a store's ledger that was read: events above `floor`, but for those in `seen`. */
export interface Position {
  store_id: number
  floor: number
  seen: readonly number[]
}

/**
 * The newest events that were not read yet. Numbers are drawn before their transaction commits, so
 * an event may appear below others that were read.
 */
export async function selectNewEvents(
  db: Db,
  positions: readonly Position[],
  limit: number,
): Promise<LedgerEvent[]> {
  const parts = positions.map(
    ({ store_id, floor, seen }) => sql`(
      select store_id, no, tag, type, object_id, created_at
        from event
       where store_id = ${store_id} and no > ${floor} and no <> all(${seen}::bigint[]) and not test
       order by no desc
       limit ${limit})`,
  )
  const { rows } = await sql<LedgerEvent>`-- planned anew
    ${sql.join(parts, sql` union all `)}`.execute(db)
  return rows.sort((item, other) => item.no - other.no)
}

/** The numbers of a store's newest events, samples too. */
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

/** Events since shortly before the one with this number; undefined if it is too old, or unknown. */
export async function selectMissedEvents(
  db: Db,
  { store_id, no, now }: { store_id: number; no: number; now: string },
  { kept_ms, overlap_ms, limit }: { kept_ms: number; overlap_ms: number; limit: number },
): Promise<LedgerEvent[] | undefined> {
  const { rows } = await sql<LedgerEvent & { known: boolean }>`
    with last as materialized (
      select e.created_at
        from event e
        join store s on s.id = e.store_id
       where e.store_id = ${store_id} and e.no = ${no}
         and e.created_at > ${now}::timestamptz
                            + (s.clock_offset_ms - ${kept_ms}) * interval '1 ms'
    ), missed as (
      select e.store_id, e.no, e.tag, e.type, e.object_id, e.created_at
        from event e
       where e.store_id = ${store_id} and not e.test and e.no <> ${no}
         and e.created_at >= (select created_at - ${overlap_ms} * interval '1 ms' from last)
       order by e.created_at
       limit ${limit}
    )
    select l.known, m.*
      from (select true as known from last) l
      left join missed m on true`.execute(db)
  if (rows.length === 0) return undefined
  return rows
    .filter((row) => row.no !== null)
    .map(({ known: _, ...event }) => event)
    .sort((item, other) => item.no - other.no)
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
 * The states of deliveries: those that follow an id, up to the limit, those that are pending, and
 * those that were pending at the last look.
 */
export async function selectDeliveries(
  db: Db,
  positions: readonly { store_id: number; from: number; tracked: readonly number[] }[],
  limit: number,
): Promise<LiveDelivery[]> {
  const parts = positions.map(
    ({ store_id, from, tracked }) => sql`(
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
           select unnest(${tracked}::bigint[])))`,
  )
  const { rows } = await sql<LiveDelivery>`-- planned anew
    select d.store_id, d.id, w.public_id as webhook_id, e.type as event_type, d.status, d.attempts,
           d.status_code, d.updated_at
      from (${sql.join(parts, sql` union all `)}) d
      join webhook_endpoint w on w.store_id = d.store_id and w.id = d.endpoint_id
      join event e on e.store_id = d.store_id and e.no = d.id >> 5
     order by d.id`.execute(db)
  return rows
}
