import { invalid, invalidState } from '../../../kernel/errors.ts'
import type { QuestionStatus } from './schema.ts'

/** The maximum number of answers, because all answers are returned with their question. */
const ANSWERS_MAX = 20

export interface QuestionState {
  status: QuestionStatus
  answer_count: number
}

/** Throws INVALID_STATE if the number of answers does not allow the next status. */
export function checkStatus(
  { status, answer_count }: QuestionState,
  next: QuestionStatus | undefined,
): void {
  if (next === 'answered' && answer_count === 0) {
    throw invalidState(status, 'This question has no answer. Answer the question first.')
  }
  if (next === 'pending' && answer_count > 0) {
    throw invalidState(status, 'This question has an answer. Set the status to answered or hidden.')
  }
}

export function checkAnswerable({ answer_count }: QuestionState): void {
  if (answer_count < ANSWERS_MAX) return
  throw invalid(
    'body',
    `A question has at most ${ANSWERS_MAX} answers. Answer in a ticket instead.`,
  )
}

/** A hidden question remains hidden when it is answered. */
export const statusAfterAnswer = ({ status }: QuestionState): QuestionStatus =>
  status === 'hidden' ? 'hidden' : 'answered'
