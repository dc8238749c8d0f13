import type { IncomingHttpHeaders } from 'node:http'
import { type App, storeContextOf } from '../../../app.ts'
import { notFound, Refusal } from '../../../kernel/errors.ts'
import type { Store, StoreContext } from '../../../store-context.ts'
import { connectedProvider } from '../payment-providers/index.ts'
import * as q from './queries.ts'

/** A request of a payment provider, with the bytes of its body. */
export interface CallbackRequest {
  provider: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Stores a callback of a store's provider, which is applied after the answer (decision 456). */
export async function receiveCallback(
  app: App,
  store: Store,
  request: CallbackRequest,
): Promise<void> {
  await storeCallback(storeContextOf(app, store), request)
}

/** Stores a callback, and returns its id, or undefined if it is repeated. */
export async function storeCallback(
  context: StoreContext,
  { provider: name, headers, body }: CallbackRequest,
): Promise<number | undefined> {
  const { db, store, now } = context
  const provider = connectedProvider(store, name)
  if (!provider) throw notFound('The payment provider', name)
  const callback = await provider.readCallback(context, { headers, body })
  if (!callback) throw rejected()
  const { external_id, type, ...names } = callback
  return q.insertCallback(db, store.id, { provider: name, external_id, type, names, now })
}

/** The same sentence for every cause, so that it tells a forger nothing. */
const rejected = () =>
  new Refusal('CALLBACK_REJECTED', 'The signature of this callback is missing or not valid.')
