export { foldWalletsJob } from './fold-wallets.job.ts'
export { orderWalletDeltas, paidOrderWalletDeltas } from './queries/withdrawals.ts'
