import type { Job } from '../../../app.ts'
import * as q from './queries/index.ts'

const BATCH = 1_000

/**
 * Adds new payments and refunds of orders to the wallets of their stores, so that a wallet can be read without
 * summing the orders.
 */
export const foldWalletsJob: Job = {
  name: 'fold-wallets',
  due: q.nextFold,
  run: async ({ db }) => (await q.foldWallets(db, BATCH)) === BATCH,
}
