/** The payment methods of orders, products and coupons. */
export const METHODS = ['manual', 'crypto', 'card', 'paypal', 'balance', 'test'] as const
export type MethodName = (typeof METHODS)[number]

/** Returns the available payment methods: `test` on a test side only (decision 4). */
export const methodsOf = (livemode: boolean): MethodName[] =>
  METHODS.filter((method) => method !== 'test' || !livemode)

/** The methods that need a payment provider. No provider can be connected yet (decision 125). */
const PROVIDER_METHODS: readonly MethodName[] = ['crypto', 'card', 'paypal']

/** Returns the payment methods that orders of a store can be paid with. */
export const connectedMethods = (livemode: boolean): MethodName[] =>
  methodsOf(livemode).filter((method) => !PROVIDER_METHODS.includes(method))
