import { inTransaction } from '../../../db/database.ts'
import { notFound, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import { checkStatus } from './questions.rules.ts'
import type { Question, QuestionPatch } from './schema.ts'

/** Hides a question or shows it again. */
export function updateQuestion(
  { db, store, audit }: StoreContext,
  id: number,
  { status }: QuestionPatch,
): Promise<Question> {
  return inTransaction(db, async (tx) => {
    const before = requireRecord(await q.lockQuestion(tx, store.id, id), 'Question')
    checkStatus(before, status)
    audit.reportChange(before, { status })
    if (status) await q.updateStatus(tx, store.id, id, status)
    return requireRecord(await q.selectQuestion(tx, store.id, id), 'Question')
  })
}

/** Deletes a question with its answers. */
export function deleteQuestion({ db, store }: StoreContext, id: number) {
  return inTransaction(db, async (tx) => {
    if (!(await q.deleteQuestion(tx, store.id, id))) throw notFound('Question')
    return { deleted: true as const, id }
  })
}
