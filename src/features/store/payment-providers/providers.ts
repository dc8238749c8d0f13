import type { Store } from '../../../store-context.ts'
import type { Provider } from './provider.ts'
import { stripeProvider } from './stripe/index.ts'
import { testProvider } from './test-provider/index.ts'

/** The payment providers that are built. */
const PROVIDERS: readonly Provider[] = [stripeProvider, testProvider]

/** Returns the payment providers that a side of a store can connect. */
export const providersOf = (store: Store): Provider[] =>
  PROVIDERS.filter((provider) => provider.isOffered(store))

/** Returns the connected providers of a store. */
export const connectedProviders = (store: Store): Provider[] =>
  providersOf(store).filter(({ name }) => store.payment_providers.includes(name))

/** Returns a connected provider of a store. */
export const connectedProvider = (store: Store, name: string): Provider | undefined =>
  connectedProviders(store).find((provider) => provider.name === name)

/** Returns the connected provider that serves a payment method. */
export const providerOfMethod = (store: Store, method: string): Provider | undefined =>
  connectedProviders(store).find((provider) => provider.method === method)

/** Returns the provider of a payment, which may have been disconnected since. */
export function providerNamed(name: string): Provider {
  const provider = PROVIDERS.find((item) => item.name === name)
  if (!provider) throw new Error(`There is no payment provider ${name}.`)
  return provider
}
