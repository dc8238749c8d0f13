import { invalid, invalidState } from '../../../kernel/errors.ts'
import type { Status } from './schema.ts'

/** Answers are read with their question. */
const ANSWERS_MAX = 20

export interface AnsweredQuestion {
  status: Status
  answer_count: number
}

/** A question is public once it is answered, so its status follows from its answers. */
export function checkStatus(
  { status, answer_count }: AnsweredQuestion,
  next: Status | undefined,
): void {
  if (next === 'answered' && answer_count === 0) {
    throw invalidState(status, 'This question has no answer; answer it first.')
  }
  if (next === 'pending' && answer_count > 0) {
    throw invalidState(status, 'This question is answered; send answered or hidden.')
  }
}

export function checkAnswerable({ answer_count }: AnsweredQuestion): void {
  if (answer_count < ANSWERS_MAX) return
  throw invalid('body', `A question has at most ${ANSWERS_MAX} answers.`)
}

/** A hidden question stays hidden when it is answered. */
export const statusOnceAnswered = ({ status }: AnsweredQuestion): Status =>
  status === 'hidden' ? 'hidden' : 'answered'
