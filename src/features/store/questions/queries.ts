import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { selectNewest } from '../../../db/newest.ts'
import { deleteRecord, insertRecord } from '../../../db/records.ts'
import { hasRef } from '../../../db/refs.ts'
import { execute, firstRow, onlyRow } from '../../../db/rows.ts'
import type { QuestionState } from './questions.rules.ts'
import type { Question, QuestionQuery, QuestionStatus } from './schema.ts'

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

export const selectQuestion = (db: Db, storeId: number, id: number) =>
  firstRow<Question>(db)`
    select ${QUESTION} from question t where t.store_id = ${storeId} and t.id = ${id}`

/** The expressions of an index, which must be repeated literally so that PostgreSQL uses it. */
const PENDING_FIRST = sql`
  t.status <> 'pending', case when t.status = 'pending' then t.created_at end, t.created_at desc,
  t.id desc`

/** Returns a page of questions and the number of matches. */
export function selectQuestions(
  db: Db,
  storeId: number,
  productId: number | undefined,
  { status, sort, ...page }: QuestionQuery,
) {
  return selectNewest<Question>(db, {
    table: 'question',
    columns: QUESTION,
    storeId,
    ...page,
    sortedBy: sort === 'waiting' ? PENDING_FIRST : undefined,
    filters: [
      status && sql`t.status = any(${status}::text[])`,
      productId !== undefined && sql`t.product_id = ${productId}`,
    ],
  })
}

/** Returns undefined if the store never had the product. */
export const selectProduct = (db: Db, storeId: number, ref: string) =>
  firstRow<{ id: number; deleted: boolean }>(db)`
    select id, deleted_at is not null as deleted
      from product
     where store_id = ${storeId} and ${hasRef('product', ref)}`

interface NewQuestionRow {
  product_id: number
  customer_email: string
  customer_name: string | null
  body: string
  created_at: string
}

export const insertQuestion = (tx: Tx, storeId: number, row: NewQuestionRow) =>
  insertRecord(tx, 'question', { ...row, store_id: storeId, status: 'pending' })

/** Locks a question, so that only one of two concurrent answers is the first. */
export const lockQuestion = (tx: Tx, storeId: number, id: number) =>
  firstRow<QuestionState>(tx)`
    select status, answers as answer_count
      from question
     where store_id = ${storeId} and id = ${id}
       for update`

export const updateStatus = (tx: Tx, storeId: number, id: number, status: QuestionStatus) =>
  execute(tx)`
    update question set status = ${status}
     where store_id = ${storeId} and id = ${id}`

interface NewAnswerRow {
  question_id: number
  status: QuestionStatus
  body: string
  now: string
}

/** Adds an answer and counts it. The caller has locked the question. */
export async function insertAnswer(
  tx: Tx,
  storeId: number,
  { question_id, status, body, now }: NewAnswerRow,
): Promise<number> {
  const { id } = await onlyRow<{ id: number }>(tx)`
    with answered_question as (
      update question
         set status = ${status}, answers = answers + 1,
             answered_at = coalesce(answered_at, greatest(created_at, ${now}))
       where store_id = ${storeId} and id = ${question_id}
    )
    insert into question_answer (store_id, question_id, author, body, created_at)
    values (${storeId}, ${question_id}, 'seller', ${body}, ${now})
    returning id`
  return id
}

export const deleteQuestion = (tx: Tx, storeId: number, id: number) =>
  deleteRecord(tx, 'question', { storeId, id })

/** Hides the questions of a person, replaces their texts and those of their answers, and returns their ids. */
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
