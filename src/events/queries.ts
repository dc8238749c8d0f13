import { sql } from 'kysely'
import { rowsOf } from '../db/arrays.ts'
import type { Tx } from '../db/database.ts'
import { allValues, send } from '../db/rows.ts'

export interface NewEventRow {
  no: number
  tag: number
  type: string
  object_id: string
  payload_enc: Buffer
}

const EVENT_COLUMNS = {
  no: 'bigint',
  tag: 'bigint',
  type: 'text',
  object_id: 'text',
  payload_enc: 'bytea',
} as const

const NUMBERS_PER_BLOCK = 64

export const reserveEventNumbers = (tx: Tx) =>
  allValues<number>(tx)`
    select nextval('event_no') as no from generate_series(1, ${sql.lit(NUMBERS_PER_BLOCK)})`

/**
 * Inserts events, and for each event with subscribers one fan-out row with the endpoints that are enabled and
 * subscribed now. The rows that it changes are those of the fan-out. An event needs two rows for any number of endpoints.
 */
export function insertEvents(tx: Tx, storeId: number, now: string, events: readonly NewEventRow[]) {
  return send(tx)`
    with recorded as (
      insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
      select ${storeId}, e.no, e.tag, e.type, e.object_id, e.payload_enc, ${now}
        from ${rowsOf('e', events, EVENT_COLUMNS)}
      returning no, type
    )
    insert into webhook_fanout (store_id, no, endpoint_ids)
    select ${storeId}, r.no, subscribed.endpoint_ids
      from recorded r
      cross join lateral (
        select array_agg(w.id order by w.id) as endpoint_ids
          from webhook_endpoint w
         where w.store_id = ${storeId} and w.enabled and w.deleted_at is null
           and w.events && array[r.type, '*']
      ) subscribed
     where subscribed.endpoint_ids is not null`
}

/** Inserts a sample without a fan-out. */
export async function insertTestEvent(
  tx: Tx,
  storeId: number,
  now: string,
  event: NewEventRow,
): Promise<void> {
  await tx
    .insertInto('event')
    .values({ ...event, store_id: storeId, test: true, created_at: now })
    .execute()
}
