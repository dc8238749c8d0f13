export { followEnd, followPayment, followRefund, subscribe } from './follow-orders.ts'
export {
  type DueSubscription,
  deleteRenewalRetry,
  nextRenewal,
  postponeRenewal,
  selectDueSubscriptions,
  selectNextRenewal,
} from './queries/due.ts'
export {
  insertBills,
  lockAllDue,
  lockDue,
  lockSubscription,
  moveSubscriptions,
  type SubscriptionRow,
  selectOpenInvoice,
  updateSubscription,
} from './queries/states.ts'
export {
  AutoRenewal,
  AutoRenewalPath,
  Cancellation,
  Subscription,
  SubscriptionPatch,
  SubscriptionPath,
} from './schema.ts'
export { readAutoRenewal, readSubscription } from './show-subscriptions.ts'
export {
  billedAt,
  cancelledAtEnd,
  checkCancellable,
  ended,
  hasNoTimeLeft,
  isLive,
  nextPeriod,
  postponed,
  resumed,
  unpaid,
} from './state.rules.ts'
