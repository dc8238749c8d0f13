import { runAfterRollback, type Tx } from '../db/database.ts'
import { Refusal } from '../kernel/errors.ts'
import * as q from './queries.ts'
import type { Answer } from './stored-answers.ts'

/** The parts of a call, inside and outside of its transaction. */
export interface Work {
  /** Reads the request. An error here is not an answer of the handler and is not stored. */
  read(): void
  /** Makes the network calls, outside of any transaction. */
  ask?: () => Promise<void>
  /** Makes the change and renders its answer, in this transaction. */
  handle(tx: Tx): Promise<Answer>
  /** Renders a refusal by the handler. */
  render(error: Refusal): Answer
}

/** Renders a refusal by the use case as an answer, and rolls back what the use case wrote. */
export async function handleInSavepoint(tx: Tx, work: Work): Promise<Answer> {
  await q.savepoint(tx)
  try {
    return await work.handle(tx)
  } catch (error) {
    if (!isAnswer(error)) throw error
    await q.rollbackToSavepoint(tx)
    await runAfterRollback(tx, error)
    return work.render(error)
  }
}

export const isAnswer = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.status < 500
