import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { Withdrawal } from './schema.ts'
import { checkNextStatus } from './withdrawals.rules.ts'

/** Records that the transfer of a withdrawal is under way, so it can no longer be cancelled. */
export const processWithdrawal = (
  { db, store, audit }: StoreContext,
  id: number,
  reference: string | null,
): Promise<Withdrawal> =>
  inTransaction(db, async (tx) => {
    const status = requireRecord(await q.lockWithdrawal(tx, store.id, id), 'Withdrawal')
    checkNextStatus(status, 'processing')
    audit.reportChange({ status }, { status: 'processing' })
    return requireRecord(await q.processWithdrawal(tx, store.id, id, reference), 'Withdrawal')
  })
