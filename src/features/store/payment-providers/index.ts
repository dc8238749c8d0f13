export {
  checkConnection,
  connectProvider,
  listProviders,
} from './connect-provider.ts'
export type {
  Callback,
  FailedRefund,
  NewSession,
  PaidAtProvider,
  PaymentRef,
  Probe,
  Provider,
  ProviderDispute,
  ProviderFee,
  ProviderRecord,
  ProviderRefund,
  ReadBody,
  RefundRecord,
  SavedMethod,
  Session,
} from './provider.ts'
export { failureOf, isSetUp, providerRefused } from './provider.ts'
export {
  connectedProvider,
  connectedProviders,
  providerNamed,
  providerOfMethod,
} from './providers.ts'
export { callbackTime } from './queries.ts'
export type { PaymentProvider } from './schema.ts'
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
export { workOnDue } from './work-on-due.ts'
