import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { asQuestionAnswered } from './events.ts'
import * as q from './queries.ts'
import { checkAnswerable, statusOnceAnswered } from './questions.rules.ts'
import type { Answer, Question } from './schema.ts'

export interface AnsweredNow {
  answer: Answer
  question: Question
}

/** Adds an answer. The first one makes the question public, and its event says that it is the first. */
export function answerQuestion(
  context: StoreContext,
  id: number,
  body: string,
): Promise<AnsweredNow> {
  const { store, now, audit } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockQuestion(tx, store.id, id), 'Question')
    checkAnswerable(before)
    const status = statusOnceAnswered(before)
    const answerId = await q.insertAnswer(tx, store.id, { question_id: id, status, body, now })
    audit.changed(before, { status, answer_count: before.answer_count + 1 })
    const question = found(await q.selectQuestion(tx, store.id, id), 'Question')
    const answer = found(
      question.answers.find((item) => item.id === answerId),
      'Answer',
    )
    await context.emit(tx, [asQuestionAnswered(question, answer, before.answer_count === 0)])
    return { answer, question }
  })
}
