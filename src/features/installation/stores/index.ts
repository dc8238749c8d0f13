export { storeCommands } from './commands.ts'
export { createStore, type NewStore, type StoreSides } from './create-store.ts'
export { PLAN_NAMES, planOf } from './plans.rules.ts'
export {
  addClockOffset,
  isZoneOfDatabase,
  lockSettings,
  restartOrderNumbers,
  selectSettings,
  selectStore,
  selectStoreById,
  selectStores,
  updateFeatures as switchFeature,
  updateStoreSettings,
} from './queries.ts'
export { createQuotaMeter, type QuotaMeter } from './quota-meter.ts'
export { asStore, type CachedStore, openStoreDirectory, type StoreDirectory } from './store-book.ts'
export { storeNamed } from './store-named.ts'
