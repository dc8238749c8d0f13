import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { Question, QuestionQuery } from './schema.ts'

export async function getQuestion({ db, store }: StoreContext, id: number): Promise<Question> {
  return requireRecord(await q.selectQuestion(db, store.id, id), 'Question')
}

/** An id that no product has. */
const NO_PRODUCT = -1

/** Returns a page of questions with their answers. */
export async function listQuestions({ db, store }: StoreContext, query: QuestionQuery) {
  const { product_id } = query
  const productId =
    product_id === undefined
      ? undefined
      : ((await q.selectProduct(db, store.id, product_id))?.id ?? NO_PRODUCT)
  const { records, total } = await q.selectQuestions(db, store.id, productId, query)
  return { questions: records, pagination: pagination(query, total) }
}
