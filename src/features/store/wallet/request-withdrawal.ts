import { inTransaction } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { NewWithdrawal, Withdrawal } from './schema.ts'
import { checkAvailable } from './withdrawals.rules.ts'

/** Requests a withdrawal. The wallet is locked, so that concurrent requests cannot withdraw the same money. */
export function requestWithdrawal(context: StoreContext, body: NewWithdrawal): Promise<Withdrawal> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    checkAvailable(await q.lockWallet(tx, store.id), body.amount_cents)
    return q.insertWithdrawal(tx, store.id, body, { currency: store.currency, now })
  })
}
