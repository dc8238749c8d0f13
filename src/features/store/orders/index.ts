export { markForReview } from './add-manual-payment.ts'
export { applyProviderPayment } from './apply-provider-payment.ts'
export { changeOrder } from './change-order.ts'
export { chargeOrder, chargeOrders } from './charge-order.ts'
export { recordShipment, takeStockForWaitingLines } from './complete-order.ts'
export { countRefund } from './count-refund.ts'
export { BLOCKED_REASON, createRenewals } from './create-renewal.ts'
export { deliverAnswer, recordFailedCall } from './deliver-answer.ts'
export type { Delivery } from './delivery-schema.ts'
export { cancelOrder, expireOrder, expireRenewal } from './expire-order.ts'
export { findLinkedOrder } from './find-linked-order.ts'
export { putOnHold, release } from './hold-order.ts'
export {
  acceptsMethod,
  checkMethod,
  type PayableItem,
  totalsOf,
  withDueUnits,
} from './lines.rules.ts'
export { processingUntil } from './open-payments.ts'
export { orderUrl } from './order-link.ts'
export {
  isMailed,
  mailItem,
  mailRenewalNotices,
  mailUnpaidRenewals,
  orderValues,
} from './order-mail.ts'
export { NewRefund, OPEN_STATUSES, Payment, PaymentReview, Refund } from './payment-schema.ts'
export { checkStarts } from './payments.rules.ts'
export { priceContents } from './price-contents.ts'
export { selectOrderBacklog } from './queries/backlog.ts'
export { orderExists } from './queries/delivery-keys.ts'
export {
  claimCalls,
  deleteCallsOf,
  type LeasedCall,
  nextCall,
  selectNextCall,
} from './queries/dynamic-calls.ts'
export {
  type DueOrder,
  deleteExpiryRetry,
  nextExpiry,
  postponeExpiry,
  selectDueOrders,
  selectNextExpiry,
} from './queries/expiry.ts'
export { type ItemRow, selectItems, selectPayableProducts } from './queries/items.ts'
export {
  claimChecks,
  FIRST_CHECK_S,
  hasChargeSince,
  hasOpenPayments,
  insertOpenPayment,
  markEndFailed,
  nextCheck,
  type ProviderPayment,
  selectNextCheck,
  selectNumberOfPayment,
  selectOpenPayments,
  selectOpenPaymentsOfStore,
  selectPaymentByExternalId,
  selectProviderPayment,
  selectStartedPayments,
} from './queries/open-payments.ts'
export { type LockedOrder, lockOrder, moveOrders, reindexOrders } from './queries/orders.ts'
export {
  insertPayments,
  requestCheck,
  selectPayment,
  updateFee,
  updateOpenPayment,
  updatePayment,
  updateTransactionId,
} from './queries/payments.ts'
export {
  adoptRefund,
  claimRequests,
  countedRefunds,
  deleteRequest,
  markSentBack,
  nextRequest,
  type RefundRequest,
  selectExternalRefunds,
  selectNextRequest,
  selectPendingCents,
  updateRequest,
} from './queries/refunds.ts'
export { refundOrder } from './refund-order.ts'
export { restockLines } from './restock-lines.ts'
export { type ArrivedMoney, approvePayment, rejectPayment } from './review-payment.ts'
export { Address, NewAddress, Order, OrderPath, type StoredOrder } from './schema.ts'
export { textSealContext } from './sealed.ts'
export { readOrder, readOrdersOf } from './show-order.ts'
export {
  canBeHeld,
  checkCancellable,
  checkNotOnHold,
  expiryOf,
  isPayable,
  isUnpaid,
  owedCents,
} from './status.rules.ts'
