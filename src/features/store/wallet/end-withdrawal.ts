import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { withdrawalCompletedEvent } from './events.ts'
import * as q from './queries/index.ts'
import type { Withdrawal } from './schema.ts'
import { checkNextStatus } from './withdrawals.rules.ts'

/** Records that a withdrawal was sent, and emits `withdrawal.completed`. */
export function completeWithdrawal(
  context: StoreContext,
  id: number,
  reference: string,
): Promise<Withdrawal> {
  return inTransaction(context.db, async (tx) => {
    const withdrawal = await endWithdrawal(tx, context, id, { status: 'completed', reference })
    await context.emit(tx, [
      withdrawalCompletedEvent(withdrawal, withdrawal.completed_at ?? context.now),
    ])
    return withdrawal
  })
}

/** Records that a withdrawal failed, and makes its amount available again. */
export const failWithdrawal = (
  context: StoreContext,
  id: number,
  failure_reason: string,
): Promise<Withdrawal> =>
  inTransaction(context.db, (tx) =>
    endWithdrawal(tx, context, id, { status: 'failed', failure_reason }),
  )

/** Cancels a withdrawal whose transfer has not begun, and makes its amount available again. */
export const cancelWithdrawal = (context: StoreContext, id: number): Promise<Withdrawal> =>
  inTransaction(context.db, (tx) => endWithdrawal(tx, context, id, { status: 'cancelled' }))

async function endWithdrawal(
  tx: Tx,
  { store, now, audit }: StoreContext,
  id: number,
  outcome: Pick<q.WithdrawalOutcome, 'status'> & Partial<q.WithdrawalOutcome>,
): Promise<Withdrawal> {
  const status = requireRecord(await q.lockWithdrawal(tx, store.id, id), 'Withdrawal')
  checkNextStatus(status, outcome.status)
  audit.reportChange({ status }, { status: outcome.status })
  return q.endWithdrawal(tx, store.id, id, {
    reference: null,
    failure_reason: null,
    now,
    ...outcome,
  })
}
