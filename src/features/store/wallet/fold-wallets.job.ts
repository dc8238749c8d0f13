import type { Job } from '../../../app.ts'
import { MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import { foldWallets } from './queries/withdrawals.ts'

const BATCH = 1_000

/** Adds what orders brought in to the wallets of their stores, so that a wallet is read at once. */
export const foldWalletsJob: Job = {
  name: 'fold-wallets',
  every_ms: MINUTE_MS,
  afterWrites_ms: 5 * SECOND_MS,
  run: async ({ db }) => (await foldWallets(db, BATCH)) === BATCH,
}
