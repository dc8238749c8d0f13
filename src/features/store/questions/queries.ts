import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { named } from '../../../db/named.ts'
import { selectNewest } from '../../../db/newest.ts'
import type { AnsweredQuestion } from './questions.rules.ts'
import type { Question, QuestionQuery, Status } from './schema.ts'

const QUESTION = sql`
  t.id, 'question' as object,
  (select json_build_object('id', p.hash_id, 'name', p.name) from product p
    where p.store_id = t.store_id and p.id = t.product_id) as product,
  t.customer_email, t.customer_name, t.body, t.status,
  (select coalesce(json_agg(json_build_object(
            'id', a.id, 'body', a.body, 'author', a.author, 'created_at', iso(a.created_at))
          order by a.id), '[]')
     from question_answer a
    where a.store_id = t.store_id and a.question_id = t.id) as answers,
  t.created_at, t.answered_at`

export async function selectQuestion(
  db: Db,
  storeId: number,
  id: number,
): Promise<Question | undefined> {
  const { rows } = await sql<Question>`
    select ${QUESTION} from question t where t.store_id = ${storeId} and t.id = ${id}`.execute(db)
  return rows[0]
}

/** A page of questions, the newest first, and how many match. */
export function selectQuestions(
  db: Db,
  storeId: number,
  productId: number | undefined,
  { status, limit, offset }: QuestionQuery,
) {
  return selectNewest<Question>(db, {
    table: 'question',
    columns: QUESTION,
    storeId,
    limit,
    offset,
    filters: [
      status && sql`t.status = any(${status}::text[])`,
      productId !== undefined && sql`t.product_id = ${productId}`,
    ],
  })
}

/** Returns undefined if the store never had the product. */
export async function selectProduct(
  db: Db,
  storeId: number,
  ref: string,
): Promise<{ id: number; deleted: boolean } | undefined> {
  const { rows } = await sql<{ id: number; deleted: boolean }>`
    select id, deleted_at is not null as deleted
      from product
     where store_id = ${storeId} and ${named('product', ref)}`.execute(db)
  return rows[0]
}

export interface NewQuestionRow {
  product_id: number
  customer_email: string
  customer_name: string | null
  body: string
  created_at: string
}

export async function insertQuestion(
  tx: Tx,
  storeId: number,
  row: NewQuestionRow,
): Promise<number> {
  const { id } = await tx
    .insertInto('question')
    .values({ ...row, store_id: storeId, status: 'pending' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locks a question, so that its answers follow one another: only one is the first. */
export async function lockQuestion(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<AnsweredQuestion | undefined> {
  const { rows } = await sql<AnsweredQuestion>`
    select status, answers as answer_count
      from question
     where store_id = ${storeId} and id = ${id}
       for update`.execute(tx)
  return rows[0]
}

export async function updateStatus(
  tx: Tx,
  storeId: number,
  id: number,
  status: Status,
): Promise<void> {
  await sql`
    update question set status = ${status}
     where store_id = ${storeId} and id = ${id}`.execute(tx)
}

export interface NewAnswerRow {
  question_id: number
  status: Status
  body: string
  now: string
}

/** Adds an answer and counts it. The question is locked. */
export async function insertAnswer(
  tx: Tx,
  storeId: number,
  { question_id, status, body, now }: NewAnswerRow,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with answered as (
      update question
         set status = ${status}, answers = answers + 1,
             answered_at = coalesce(answered_at, greatest(created_at, ${now}))
       where store_id = ${storeId} and id = ${question_id}
    )
    insert into question_answer (store_id, question_id, author, body, created_at)
    values (${storeId}, ${question_id}, 'seller', ${body}, ${now})
    returning id`.execute(tx)
  const [answer] = rows
  if (!answer) throw new Error('An insert created no answer.')
  return answer.id
}

/** Deletes a question with its answers. */
export async function deleteQuestion(tx: Tx, storeId: number, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from question where store_id = ${storeId} and id = ${id}`.execute(tx)
  return numAffectedRows === 1n
}

/** Replaces the texts of a person's questions and of the answers, hides them, and returns the ids. */
export async function clearQuestions(
  tx: Tx,
  storeId: number,
  { emails, replacement, text }: { emails: readonly string[]; replacement: string; text: string },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update question
       set customer_email = ${replacement}, customer_name = null, body = ${text}, status = 'hidden'
     where store_id = ${storeId} and customer_email = any(${emails}::text[])
    returning id`.execute(tx)
  const ids = rows.map((row) => row.id)
  await sql`
    update question_answer set body = ${text}
     where store_id = ${storeId} and question_id = any(${ids}::bigint[])`.execute(tx)
  return ids
}
