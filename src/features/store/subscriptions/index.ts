export {
  advanceSubscriptions,
  cancelRefundedSubscriptions,
  createSubscriptions,
  endSubscriptions,
} from './order-effects.ts'
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
  lockDueSubscriptions,
  lockSubscription,
  lockSubscriptionsOfOrders,
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
  cancellationAtEndChange,
  checkCancellable,
  endChange,
  failedAttemptChange,
  isCurrentPeriodUnpaid,
  isRunning,
  nextPeriod,
  postponeChange,
  resumeChange,
  retriesStart,
} from './state.rules.ts'
