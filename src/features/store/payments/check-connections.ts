import { type App, storeContextOf } from '../../../app.ts'
import type { Store } from '../../../store-context.ts'
import { connectedProviders, type Probe } from '../payment-providers/index.ts'

/** A connected provider, and its answer. */
export interface CheckedConnection {
  provider: string
  state: Probe['state']
  /** The time by which the clock of this machine is ahead of that of the provider; null if it is not known. */
  ahead_ms: number | null
}

/** Asks each connected provider of a store whether it accepts the credentials. */
export async function checkConnections(app: App, store: Store): Promise<CheckedConnection[]> {
  const context = storeContextOf(app, store)
  return Promise.all(
    connectedProviders(store).map(async (provider) => {
      const probe = await provider.probe(context)
      const provider_ms = probe.state === 'works' ? probe.provider_ms : null
      const ahead_ms = provider_ms === null ? null : app.clock.now() - provider_ms
      return { provider: provider.name, state: probe.state, ahead_ms }
    }),
  )
}
