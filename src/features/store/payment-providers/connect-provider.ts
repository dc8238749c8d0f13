import { changesOf } from '../../../audit/changes.rules.ts'
import { inTransaction } from '../../../db/database.ts'
import { invalidState, notFound } from '../../../kernel/errors.ts'
import type { Store, StoreContext } from '../../../store-context.ts'
import { addPaymentProvider, removePaymentProvider } from '../../installation/index.ts'
import { hasOpenPayments } from '../orders/index.ts'
import { sealCredentials } from './credentials.ts'
import type { Connection, Provider, ReadBody } from './provider.ts'
import { providersOf } from './providers.ts'
import * as q from './queries.ts'
import type { PaymentProvider } from './schema.ts'

/** Returns the payment providers that this side of the store can connect, and their states. */
export async function listProviders({
  db,
  store,
  publicUrl,
}: StoreContext): Promise<PaymentProvider[]> {
  const facts = await q.selectFacts(db, store.id)
  return providersOf(store).map((provider) => {
    const own = facts.find((row) => row.provider === provider.name)
    return {
      object: 'payment_provider',
      provider: provider.name,
      status: store.payment_providers.includes(provider.name) ? (own?.status ?? 'connected') : null,
      methods: [provider.method],
      callback_url: `${publicUrl}/callbacks/${provider.name}/${store.hash}`,
      account: own?.account ?? null,
      livemode: store.livemode,
      last_checked_at: own?.last_checked_at ?? null,
      last_callback_at: own?.last_callback_at ?? null,
      last_error: own?.last_error ?? null,
    }
  })
}

/** Asks a provider whether it accepts the credentials of a new connection. Nothing is stored before. */
export const checkConnection = async (
  context: StoreContext,
  name: string,
  read: ReadBody,
): Promise<Connection> => requireProvider(context.store, name).checkCredentials(context, read)

/** Connects a payment provider, or replaces its credentials (decision 460). */
export function connectProvider(
  context: StoreContext,
  name: string,
  { account, credentials }: Connection,
): Promise<PaymentProvider> {
  return inTransaction(context.db, async (tx) => {
    const { store, now } = context
    requireProvider(store, name)
    const isNew = await addPaymentProvider(tx, store.id, name)
    if (isNew || credentials) {
      const action = 'account.connect_payment_provider'
      const fields = { ...(account && { account }), ...credentials }
      const changes = changesOf(null, { status: 'connected', ...fields })
      await context.audit.record(tx, [
        { action, object: 'payment_provider', object_id: name, changes },
      ])
    }
    const credentials_enc = credentials && sealCredentials(context, name, credentials)
    await q.upsertConnection(tx, store.id, { provider: name, account, credentials_enc, now })
    context.clearCachesAfterCommit(tx)
    const connectedStore = { ...store, payment_providers: [...store.payment_providers, name] }
    const providers = await listProviders({ ...context, db: tx, store: connectedStore })
    const shown = providers.find(({ provider }) => provider === name)
    if (!shown) throw notFound('Payment provider', name)
    return shown
  })
}

/** Disconnects a payment provider. Open payments would no longer be noticed, so they must be ended before. */
export function disconnectProvider(
  context: StoreContext,
  name: string,
  { force = false }: { force?: boolean | undefined },
): Promise<{ deleted: true; id: string }> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    requireProvider(store, name)
    const isConnected = await removePaymentProvider(tx, store.id, name)
    if (!isConnected) throw notFound('Payment provider', name)
    if (!force && (await hasOpenPayments(tx, store.id, name))) {
      const message =
        'A payment of this provider is open. Cancel it first, or send ?force=true and lose its callbacks.'
      throw invalidState('pending', message)
    }
    await q.deleteFacts(tx, store.id, name)
    context.clearCachesAfterCommit(tx)
    return { deleted: true, id: name }
  })
}

function requireProvider(store: Store, name: string): Provider {
  const provider = providersOf(store).find((item) => item.name === name)
  if (!provider) throw notFound('Payment provider', name)
  return provider
}
