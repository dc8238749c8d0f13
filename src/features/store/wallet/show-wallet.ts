import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { Wallet, Withdrawal, WithdrawalQuery } from './schema.ts'

export async function showWallet({ db, store }: StoreContext): Promise<Wallet> {
  const totals = await q.selectTotals(db, store.id)
  return { object: 'wallet', currency: store.currency, ...totals }
}

export async function getWithdrawal({ db, store }: StoreContext, id: number): Promise<Withdrawal> {
  return requireRecord(await q.selectWithdrawal(db, store.id, id), 'Withdrawal')
}

/** Returns a page of withdrawals, the newest first. */
export async function listWithdrawals({ db, store }: StoreContext, query: WithdrawalQuery) {
  const { records, total } = await q.selectWithdrawals(db, store.id, query)
  return { withdrawals: records, pagination: pagination(query, total) }
}
