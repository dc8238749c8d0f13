export type {
  Callback,
  NewSession,
  PaymentRef,
  Provider,
  ProviderDispute,
  ProviderFee,
  ProviderRecord,
  ProviderRefund,
  RefundRecord,
  Session,
} from './provider.ts'
export { failureOf, providerRefused } from './provider.ts'
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
