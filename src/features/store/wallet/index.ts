export { foldWalletsJob } from './fold-wallets.job.ts'
export { recordMoney } from './queries/withdrawals.ts'
