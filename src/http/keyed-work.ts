import { runAfterRollback, type Tx } from '../db/database.ts'
import { Refusal } from '../kernel/errors.ts'
import * as q from './queries.ts'
import type { Answer } from './stored-answers.ts'

/** The parts of a call, inside and outside of its transaction. */
export interface Work {
  /** Reads the request. An error of this step is not stored as an answer. */
  read(): void
  /** Makes the network calls, outside of any transaction. */
  prepare?: () => Promise<void>
  /** Makes the change and renders its answer, in this transaction. */
  handle(tx: Tx): Promise<Answer>
  /** Does the work after the commit, and returns the answer as it is then; undefined if it stays the same. */
  finish?: () => Promise<Answer | undefined>
  /** Renders a refusal by the handler. */
  render(error: Refusal): Answer
}

/** Runs the use case. If it refuses, its writes are rolled back and the refusal is rendered as the answer. */
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
