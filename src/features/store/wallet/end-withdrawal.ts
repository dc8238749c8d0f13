import { inTransaction, type Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { asWithdrawalCompleted } from './events.ts'
import * as q from './queries/withdrawals.ts'
import type { Withdrawal } from './schema.ts'
import { checkEnd } from './withdrawals.rules.ts'

/** Records that a withdrawal was sent, and emits `withdrawal.completed`. */
export function completeWithdrawal(
  context: StoreContext,
  id: number,
  reference: string,
): Promise<Withdrawal> {
  return inTransaction(context.db, async (tx) => {
    const withdrawal = await end(tx, context, id, { status: 'completed', reference })
    await context.emit(tx, [
      asWithdrawalCompleted(withdrawal, withdrawal.completed_at ?? context.now),
    ])
    return withdrawal
  })
}

/** Records that a withdrawal failed. Its amount is available again. */
export const failWithdrawal = (
  context: StoreContext,
  id: number,
  failure_reason: string,
): Promise<Withdrawal> =>
  inTransaction(context.db, (tx) => end(tx, context, id, { status: 'failed', failure_reason }))

/** Cancels a withdrawal that is not being sent yet. Its amount is available again. */
export const cancelWithdrawal = (context: StoreContext, id: number): Promise<Withdrawal> =>
  inTransaction(context.db, (tx) => end(tx, context, id, { status: 'cancelled' }))

async function end(
  tx: Tx,
  { store, now, audit }: StoreContext,
  id: number,
  ending: Pick<q.Ending, 'status'> & Partial<q.Ending>,
): Promise<Withdrawal> {
  const status = found(await q.lockWithdrawal(tx, store.id, id), 'Withdrawal')
  checkEnd(status, ending.status)
  audit.changed({ status }, { status: ending.status })
  return q.endWithdrawal(tx, store.id, id, {
    reference: null,
    failure_reason: null,
    now,
    ...ending,
  })
}
