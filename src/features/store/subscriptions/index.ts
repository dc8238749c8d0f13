export { cancelSubscriptionsOf } from './cancel-subscriptions-of.ts'
export { selectDueSubscriptions, selectNextRenewal } from './queries/due.ts'
export { nextNotice, selectDueNotices } from './queries/notices.ts'
export {
  isRenewalOnHold,
  isRenewedFurther,
  moveSubscriptions,
  type NextRenewal,
  renewManualOnesBy,
  selectRenewalsOfOrder,
  stopRenewals,
} from './queries/states.ts'
export { CYCLES } from './schema.ts'
