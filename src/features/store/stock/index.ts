export { addKeys } from './add-keys.ts'
export { openExport } from './export-keys.ts'
export { refuseSoldOut, release, reserve } from './reserve.ts'
export { restock } from './restock.ts'
export { returnStock } from './return-stock.ts'
export { stockKeySealContext } from './sealed.ts'
export { settleAlertsJob } from './settle-alerts.job.ts'
export { HIDDEN, mask } from './stock.rules.ts'
export { replaceKeys, serveByHand, takeKeys, takeLines, takeStock } from './take-stock.ts'
export {
  countKeys,
  emitDeleted,
  emitRestocked,
  markModeChanged,
  setQuantity,
  watchStock,
} from './watch-stock.ts'
