import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'

export async function selectDeliveredTexts(
  tx: Tx,
  storeId: number,
  orderIds: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from delivery
     where store_id = ${storeId} and order_id = any(${orderIds}::text[]) and text_enc is not null
     order by id`.execute(tx)
  return rows.map((row) => row.id)
}

export async function updateDeliveredText(
  tx: Tx,
  storeId: number,
  id: number,
  text_enc: Buffer,
): Promise<void> {
  await sql`
    update delivery set text_enc = ${text_enc}
     where store_id = ${storeId} and id = ${id}`.execute(tx)
}

export interface EventOfPerson {
  no: number
  tag: number
  payload_enc: Buffer
}

export async function selectEvents(
  tx: Tx,
  storeId: number,
  objectIds: readonly string[],
): Promise<EventOfPerson[]> {
  const { rows } = await sql<EventOfPerson>`
    select no, tag, payload_enc from event
     where store_id = ${storeId} and object_id = any(${objectIds}::text[])
     order by no`.execute(tx)
  return rows
}

const PLACES = 32

/** Also clears receivers' answers, which may repeat the payload. */
export async function updateEvents(
  tx: Tx,
  storeId: number,
  events: readonly Pick<EventOfPerson, 'no' | 'payload_enc'>[],
): Promise<void> {
  const nos = events.map((event) => event.no)
  await sql`
    update event e set payload_enc = x.payload_enc
      from unnest(${nos}::bigint[], ${events.map((event) => event.payload_enc)}::bytea[])
             as x(no, payload_enc)
     where e.store_id = ${storeId} and e.no = x.no`.execute(tx)
  const range = sql`x.no * ${sql.lit(PLACES)} and x.no * ${sql.lit(PLACES)} + ${sql.lit(PLACES - 1)}`
  await sql`
    update webhook_delivery d set response_body = null
      from unnest(${nos}::bigint[]) as x(no)
     where d.store_id = ${storeId} and d.id between ${range} and d.response_body is not null`.execute(
    tx,
  )
  await sql`
    update webhook_attempt a set response_body = null
      from unnest(${nos}::bigint[]) as x(no)
     where a.store_id = ${storeId} and a.delivery_id between ${range}
       and a.response_body is not null`.execute(tx)
}

export interface StoredAnswer {
  api_key_id: number
  key: string
  body_enc: Buffer
  created_at: string
}

/** A page of stored answers after this one, the oldest first. */
export async function selectAnswers(
  tx: Tx,
  storeId: number,
  after: Omit<StoredAnswer, 'body_enc'>,
  limit: number,
): Promise<StoredAnswer[]> {
  const { rows } = await sql<StoredAnswer>`
    select api_key_id, key, body_enc, created_at from idempotent_answer
     where store_id = ${storeId} and body_enc is not null
       and (created_at, api_key_id, key) > (${after.created_at}, ${after.api_key_id}, ${after.key})
     order by created_at, api_key_id, key
     limit ${limit}`.execute(tx)
  return rows
}

type AnswerRef = Pick<StoredAnswer, 'api_key_id' | 'key'>

export async function updateAnswer(
  tx: Tx,
  storeId: number,
  { api_key_id, key, body_enc }: AnswerRef & { body_enc: Buffer },
): Promise<void> {
  await sql`
    update idempotent_answer set body_enc = ${body_enc}
     where store_id = ${storeId} and api_key_id = ${api_key_id} and key = ${key}`.execute(tx)
}

export async function deleteAnswer(
  tx: Tx,
  storeId: number,
  { api_key_id, key }: AnswerRef,
): Promise<void> {
  await sql`
    delete from idempotent_answer
     where store_id = ${storeId} and api_key_id = ${api_key_id} and key = ${key}`.execute(tx)
}
