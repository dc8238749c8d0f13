export { storeCommands } from './commands.ts'
export { createStore, type NewStore } from './create-store.ts'
export { findNamedStore } from './find-named-store.ts'
export { PLAN_NAMES, planOf } from './plans.rules.ts'
export {
  addClockOffset,
  addPaymentProvider,
  isTimeZoneOfDatabase,
  lockSettings,
  removePaymentProvider,
  restartOrderNumbers,
  type StoreRow,
  selectSettings,
  selectSide,
  selectStore,
  selectStoreById,
  selectStores,
  updateFeatures,
  updateStoreSettings,
} from './queries.ts'
export { createQuotaMeter, type QuotaMeter } from './quota-meter.ts'
export { openStoreDirectory, type StoreDirectory } from './store-directory.ts'
