import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { Question, QuestionQuery } from './schema.ts'

export async function getQuestion({ db, store }: StoreContext, id: number): Promise<Question> {
  return found(await q.selectQuestion(db, store.id, id), 'Question')
}

/** The id of a product that the store never had. */
const NO_PRODUCT = -1

/** A page of questions with their answers, the newest first. */
export async function listQuestions(
  { db, store }: StoreContext,
  query: QuestionQuery,
): Promise<{ questions: Question[]; pagination: Pagination }> {
  const { product_id } = query
  const productId =
    product_id === undefined
      ? undefined
      : ((await q.selectProduct(db, store.id, product_id))?.id ?? NO_PRODUCT)
  const { records, total } = await q.selectQuestions(db, store.id, productId, query)
  return { questions: records, pagination: pagination(query, total) }
}
