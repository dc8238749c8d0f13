import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { allRows, allValues, execute } from '../../../../db/rows.ts'

export const selectDeliveredTextIds = (tx: Tx, storeId: number, orderIds: readonly string[]) =>
  allValues<number>(tx)`
    select id from delivery
     where store_id = ${storeId} and order_id = any(${orderIds}::text[]) and text_enc is not null
     order by id`

export const updateDeliveredText = (tx: Tx, storeId: number, id: number, text_enc: Buffer) =>
  execute(tx)`
    update delivery set text_enc = ${text_enc}
     where store_id = ${storeId} and id = ${id}`

interface EventOfPerson {
  no: number
  tag: number
  payload_enc: Buffer
}

export const selectEvents = (tx: Tx, storeId: number, objectIds: readonly string[]) =>
  allRows<EventOfPerson>(tx)`
    select no, tag, payload_enc from event
     where store_id = ${storeId} and object_id = any(${objectIds}::text[])
     order by no`

/** The number of webhook delivery ids that belong to one event. */
const IDS_PER_EVENT = 32

/** Updates the payloads of events, and clears the receivers' response bodies, which may repeat a payload. */
export async function updateEvents(
  tx: Tx,
  storeId: number,
  events: readonly Pick<EventOfPerson, 'no' | 'payload_enc'>[],
): Promise<void> {
  const eventNos = events.map((event) => event.no)
  await sql`
    update event e set payload_enc = changed.payload_enc
      from unnest(${eventNos}::bigint[], ${events.map((event) => event.payload_enc)}::bytea[])
             as changed(no, payload_enc)
     where e.store_id = ${storeId} and e.no = changed.no`.execute(tx)
  const range = sql`changed.no * ${sql.lit(IDS_PER_EVENT)} and changed.no * ${sql.lit(IDS_PER_EVENT)} + ${sql.lit(IDS_PER_EVENT - 1)}`
  await sql`
    update webhook_delivery d set response_body = null
      from unnest(${eventNos}::bigint[]) as changed(no)
     where d.store_id = ${storeId} and d.id between ${range} and d.response_body is not null`.execute(
    tx,
  )
  await sql`
    update webhook_attempt a set response_body = null
      from unnest(${eventNos}::bigint[]) as changed(no)
     where a.store_id = ${storeId} and a.delivery_id between ${range}
       and a.response_body is not null`.execute(tx)
}

interface SealedAnswer {
  api_key_id: number
  key: string
  body_enc: Buffer
  created_at: string
}

/** Returns the stored answers that follow `after`, the oldest first. */
export const selectAnswers = (
  tx: Tx,
  storeId: number,
  after: Omit<SealedAnswer, 'body_enc'>,
  limit: number,
) =>
  allRows<SealedAnswer>(tx)`
    select api_key_id, key, body_enc, created_at from idempotent_answer
     where store_id = ${storeId} and body_enc is not null
       and (created_at, api_key_id, key) > (${after.created_at}, ${after.api_key_id}, ${after.key})
     order by created_at, api_key_id, key
     limit ${limit}`

type AnswerRef = Pick<SealedAnswer, 'api_key_id' | 'key'>

export const updateAnswer = (
  tx: Tx,
  storeId: number,
  { api_key_id, key, body_enc }: AnswerRef & { body_enc: Buffer },
) =>
  execute(tx)`
    update idempotent_answer set body_enc = ${body_enc}
     where store_id = ${storeId} and api_key_id = ${api_key_id} and key = ${key}`

export const deleteAnswer = (tx: Tx, storeId: number, { api_key_id, key }: AnswerRef) =>
  execute(tx)`
    delete from idempotent_answer
     where store_id = ${storeId} and api_key_id = ${api_key_id} and key = ${key}`
