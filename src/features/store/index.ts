export { accountEndpoints } from './account/endpoints.ts'
export { createStoreWithKeys, type StoreSide, toStoreSide } from './account/index.ts'
export { affiliateDashboardEndpoints } from './affiliates/dashboard-endpoints.ts'
export { affiliateEndpoints } from './affiliates/endpoints.ts'
export { type Click, countClick } from './affiliates/index.ts'
export { dashboardAnalyticsEndpoints } from './analytics/dashboard-endpoints.ts'
export { analyticsEndpoints } from './analytics/endpoints.ts'
export { foldSalesJob } from './analytics/index.ts'
export { billingEndpoints } from './billing/endpoints.ts'
export { blocklistMatchEndpoints } from './blocklist/dashboard-endpoints.ts'
export { blocklistEndpoints } from './blocklist/endpoints.ts'
export { bundleEndpoints } from './bundles/endpoints.ts'
export { categoryAndGroupEndpoints } from './categories/endpoints.ts'
export { contentEndpoints } from './content/endpoints.ts'
export { type OpenedDownload, openDownload, openMedia } from './content/index.ts'
export { couponAmountEndpoints } from './coupons/dashboard-endpoints.ts'
export { couponEndpoints } from './coupons/endpoints.ts'
export { customerEndpoints } from './customers/endpoints.ts'
export { dynamicEndpoints } from './dynamic/endpoints.ts'
export { callAddressesJob } from './dynamic/index.ts'
export { fulfillmentEndpoints } from './fulfillment/endpoints.ts'
export { storeInvariants } from './invariants.ts'
export {
  type OrderPage,
  openOrderPage,
  openPageFile,
  type PageAddress,
  payOnPage,
  shownDeliveries,
  showsGoods,
} from './order-page/index.ts'
export { disputeEndpoints } from './orders/dashboard-endpoints.ts'
export { orderEndpoints } from './orders/endpoints.ts'
export { selectOrderBacklog } from './orders/index.ts'
export { paymentMethodEndpoints } from './payment-methods/endpoints.ts'
export { removeMethodsJob } from './payment-methods/index.ts'
export { paymentProviderEndpoints } from './payment-providers/endpoints.ts'
export { paymentEndpoints } from './payments/endpoints.ts'
export {
  applyCallbacksJob,
  checkPaymentsJob,
  expireOrdersJob,
  inspectProviders,
  openTestPage,
  payOnTestPage,
  receiveCallback,
  sendLateCallbacksJob,
  sendRefundsJob,
  type TestPage,
} from './payments/index.ts'
export { personalDataEndpoints } from './personal-data/endpoints.ts'
export { productEndpoints } from './products/endpoints.ts'
export { createProduct, loadCleaner } from './products/index.ts'
export { questionEndpoints } from './questions/endpoints.ts'
export { quoteEndpoints } from './quotes/endpoints.ts'
export { returnPhotoEndpoints } from './return-photos/endpoints.ts'
export { returnEndpoints } from './returns/endpoints.ts'
export { reviewEndpoints } from './reviews/endpoints.ts'
export { createAutoReviewsJob } from './reviews/index.ts'
export { savedReplyEndpoints } from './saved-replies/endpoints.ts'
export { storeSealed } from './sealed.ts'
export { shippingEndpoints } from './shipping/endpoints.ts'
export { stockKeyEndpoints } from './stock/dashboard-endpoints.ts'
export { stockEndpoints } from './stock/endpoints.ts'
export { addKeys, openExport, sendAlertsJob } from './stock/index.ts'
export { stockAlertEndpoints } from './stock-alerts/endpoints.ts'
export { STOP_PATH, stopAlerts } from './stock-alerts/index.ts'
export { subscriptionEndpoints } from './subscriptions/endpoints.ts'
export { renewSubscriptionsJob } from './subscriptions/renew-subscriptions.job.ts'
export { renewalEndpoints } from './subscriptions/renewal-endpoints.ts'
export { sendRenewalNoticesJob } from './subscriptions/send-notices.job.ts'
export { ticketOrderEndpoints } from './tickets/dashboard-endpoints.ts'
export { ticketEndpoints } from './tickets/endpoints.ts'
export { walletEndpoints } from './wallet/endpoints.ts'
export { foldWalletsJob } from './wallet/index.ts'
