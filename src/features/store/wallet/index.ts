export { foldWalletsJob } from './fold-wallets.job.ts'
export { orderWalletDeltas } from './queries/withdrawals.ts'
