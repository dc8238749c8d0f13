export { moveBillingDate } from './move-billing-date.ts'
export {
  advanceSubscriptions,
  cancelRefundedSubscriptions,
  createSubscriptions,
  endSubscriptions,
  extendLicenses,
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
  type DueNotice,
  markNoticed,
  type NoticedRenewal,
  nextNotice,
  selectDueNotices,
  selectNextNotice,
} from './queries/notices.ts'
export {
  holdSubscriptions,
  insertBills,
  isRenewalOnHold,
  isRenewedFurther,
  lockDueSubscriptions,
  lockLiveSubscriptionsOf,
  lockSubscription,
  lockSubscriptionsOfOrders,
  moveSubscriptions,
  type NextRenewal,
  releaseSubscriptions,
  renewManualOnesBy,
  type SubscriptionRow,
  selectMethods,
  selectOpenInvoice,
  selectRenewalsOfOrder,
  stopRenewals,
  updateSubscription,
} from './queries/states.ts'
export {
  AutoRenewal,
  AutoRenewalPath,
  Cancellation,
  CYCLES,
  Subscription,
  SubscriptionPatch,
  SubscriptionPath,
} from './schema.ts'
export { readAutoRenewal, readSubscription } from './show-subscriptions.ts'
export {
  cancellationAtEndChange,
  checkCancellable,
  checkMethodChange,
  endChange,
  failedAttemptChange,
  isCurrentPeriodUnpaid,
  isRunning,
  lastRetryAt,
  nextPeriod,
  resumeChange,
  retriesStart,
} from './state.rules.ts'
