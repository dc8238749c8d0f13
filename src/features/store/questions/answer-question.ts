import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { questionAnsweredEvent } from './events.ts'
import * as q from './queries.ts'
import { checkAnswerable, statusAfterAnswer } from './questions.rules.ts'
import type { Answer, Question } from './schema.ts'

interface AnswerAndQuestion {
  answer: Answer
  question: Question
}

/** Adds an answer. The first answer makes the question public. */
export function answerQuestion(
  context: StoreContext,
  id: number,
  body: string,
): Promise<AnswerAndQuestion> {
  const { store, now, audit } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.lockQuestion(tx, store.id, id), 'Question')
    checkAnswerable(before)
    const status = statusAfterAnswer(before)
    const answerId = await q.insertAnswer(tx, store.id, { question_id: id, status, body, now })
    audit.reportChange(before, { status, answer_count: before.answer_count + 1 })
    const question = requireRecord(await q.selectQuestion(tx, store.id, id), 'Question')
    const answer = requireRecord(
      question.answers.find((item) => item.id === answerId),
      'Answer',
    )
    const isFirst = before.answer_count === 0
    await context.emit(tx, [questionAnsweredEvent(question, answer, { isFirst })])
    return { answer, question }
  })
}
