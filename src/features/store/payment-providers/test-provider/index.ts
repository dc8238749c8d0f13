export { signedCallback } from './callbacks.ts'
export { TEST_ACTIONS, type TestAction } from './play.rules.ts'
export { findTestPayment, playTestPayment } from './play-payment.ts'
export { testProvider } from './provider.ts'
export {
  claimLateCallbacks,
  nextLateCallback,
  selectNextLateCallback,
  setLateCallback,
  type TestPayment,
} from './queries.ts'
