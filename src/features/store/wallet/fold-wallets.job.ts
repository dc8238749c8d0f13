import type { Job } from '../../../app.ts'
import { foldWallets, nextFold } from './queries/withdrawals.ts'

const BATCH = 1_000

/**
 * Adds new payments and refunds of orders to the wallets of their stores, so that a wallet can be read without
 * summing the orders.
 */
export const foldWalletsJob: Job = {
  name: 'fold-wallets',
  due: nextFold,
  run: async ({ db }) => (await foldWallets(db, BATCH)) === BATCH,
}
