export type {
  Callback,
  PaymentRef,
  Provider,
  ProviderDispute,
  ProviderRecord,
  ProviderRefund,
  RefundRecord,
} from './provider.ts'
export { connectedProvider, providerNamed, providerOfMethod } from './providers.ts'
export { upsertCallbackTime } from './queries.ts'
export {
  claimLateCallbacks,
  findTestPayment,
  nextLateCallback,
  playTestPayment,
  selectNextLateCallback,
  setLateCallback,
  signedCallback,
  TEST_ACTIONS,
  type TestAction,
  type TestPayment,
} from './test-provider/index.ts'
