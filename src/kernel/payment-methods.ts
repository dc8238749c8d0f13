/** The payment methods of orders, products and coupons. */
export const METHODS = ['manual', 'crypto', 'card', 'paypal', 'balance', 'test'] as const
export type MethodName = (typeof METHODS)[number]

/** Returns the available payment methods: `test` on a test side only (decision 4). */
export const methodsOf = (livemode: boolean): MethodName[] =>
  METHODS.filter((method) => method !== 'test' || !livemode)

/** The method that each payment provider serves (decision 460). */
const METHOD_OF_PROVIDER: Readonly<Record<string, MethodName>> = {
  stripe: 'card',
  paypal: 'paypal',
  btcpay: 'crypto',
  test: 'test',
}
export const PROVIDER_METHODS: readonly MethodName[] = Object.values(METHOD_OF_PROVIDER)

/** A side of a store, and the names of its connected payment providers. */
export interface ConnectedSide {
  livemode: boolean
  payment_providers: readonly string[]
}

/** Returns the payment methods that orders of a store can be paid with: those that need no provider, and those of its providers. */
export const connectedMethods = ({ livemode, payment_providers }: ConnectedSide): MethodName[] => {
  const ofProviders = payment_providers.map((provider) => METHOD_OF_PROVIDER[provider])
  return methodsOf(livemode).filter(
    (method) => !PROVIDER_METHODS.includes(method) || ofProviders.includes(method),
  )
}
