export { addKeys, stockKeyHash } from './add-keys.ts'
export { openExport } from './export-keys.ts'
export { type BundleSales, markModeChanged } from './queries/counters.ts'
export { refuseSoldOut, release, reserve } from './reserve.ts'
export { restock, returnUnits } from './restock.ts'
export { returnStock } from './return-stock.ts'
export { STOCK_MODES } from './schema.ts'
export { stockKeySealContext } from './sealed.ts'
export { sendAlertsJob } from './send-alerts.job.ts'
export { MASK_TEXT, mask, type SeenCounters } from './stock.rules.ts'
export {
  replaceKeys,
  serveManually,
  type TakenLine,
  takeForNewOrder,
  takeKeys,
  takeLines,
  takeStock,
} from './take-stock.ts'
export {
  emitDeleted,
  emitRestocked,
  setOnHandToKeyCount,
  setQuantity,
  watchStock,
} from './watch-stock.ts'
