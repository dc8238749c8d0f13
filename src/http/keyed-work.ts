import { runAfterRollback, type Tx } from '../db/database.ts'
import { StoreError } from '../kernel/errors.ts'
import * as q from './queries.ts'
import type { Answer } from './stored-answers.ts'

/** What a call does, in the pieces that stand on different sides of the transaction. */
export interface Work {
  /** Reads the request; what it throws is not an answer of the handler and is not stored. */
  read(): void
  /** The part that speaks to the network, outside of any transaction, if there is one. */
  ask?: () => Promise<void>
  /** The effect and its rendered answer, in this transaction. */
  handle(tx: Tx): Promise<Answer>
  /** Renders a refusal of the handler's. */
  render(error: StoreError): Answer
}

/** A refusal by the use case is an answer like any other; what it wrote until then is undone. */
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

export const isAnswer = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.status < 500
