import { sql } from 'kysely'
import { listOf } from '../db/arrays.ts'
import type { Tx } from '../db/database.ts'

export interface EventRow {
  no: number
  tag: number
  type: string
  object_id: string
  payload_enc: Buffer
}

const BLOCK = 64

export async function drawEventNumbers(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ no: number }>`
    select nextval('event_no') as no from generate_series(1, ${BLOCK}::int)`.execute(tx)
  return rows.map((row) => row.no)
}

/**
 * Writes the events. For events with subscribers it also writes one fan-out row with the endpoints
 * that are enabled and subscribed now. Returns true if there are any. An event takes two rows, for
 * any number of endpoints.
 */
export async function insertEvents(
  tx: Tx,
  storeId: number,
  now: string,
  events: readonly EventRow[],
): Promise<boolean> {
  const column = <K extends keyof EventRow>(name: K) => events.map((event) => event[name])
  const { numAffectedRows } = await sql`
    with recorded as (
      insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
      select ${storeId}, e.no, e.tag, e.type, e.object_id, e.payload_enc, ${now}
        from unnest(${listOf(column('no'), 'bigint')}, ${listOf(column('tag'), 'bigint')},
                    ${listOf(column('type'), 'text')}, ${listOf(column('object_id'), 'text')},
                    ${listOf(column('payload_enc'), 'bytea')})
          as e(no, tag, type, object_id, payload_enc)
      returning no, type
    )
    insert into webhook_fanout (store_id, no, endpoint_ids)
    select ${storeId}, t.no, subscribed.endpoint_ids
      from recorded t
      cross join lateral (
        select array_agg(w.id order by w.id) as endpoint_ids
          from webhook_endpoint w
         where w.store_id = ${storeId} and w.enabled and w.deleted_at is null
           and w.events && array[t.type, '*']
      ) subscribed
     where subscribed.endpoint_ids is not null`.execute(tx)
  return Number(numAffectedRows ?? 0) > 0
}

/** Writes a sample for one endpoint, without a fan-out. */
export async function insertTestEvent(
  tx: Tx,
  storeId: number,
  now: string,
  event: EventRow,
): Promise<void> {
  await tx
    .insertInto('event')
    .values({ ...event, store_id: storeId, test: true, created_at: now })
    .execute()
}
