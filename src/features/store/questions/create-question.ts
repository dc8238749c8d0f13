import { inTransaction } from '../../../db/database.ts'
import { requireRecord, unknownId } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { questionCreatedEvent } from './events.ts'
import * as q from './queries.ts'
import type { NewQuestion, Question } from './schema.ts'

/** Records a question about a product. The question becomes public with its first answer. */
export function createQuestion(context: StoreContext, body: NewQuestion): Promise<Question> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const product = await q.selectProduct(tx, store.id, body.product_id)
    if (!product || product.deleted) {
      throw unknownId('product_id', body.product_id, 'This store has no product')
    }
    const row = { ...body, product_id: product.id, created_at: now }
    const id = await q.insertQuestion(tx, store.id, row)
    const question = requireRecord(await q.selectQuestion(tx, store.id, id), 'Question')
    await context.emit(tx, [questionCreatedEvent(question)])
    return question
  })
}
