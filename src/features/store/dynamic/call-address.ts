import { type App, storeContextOf, storeNow } from '../../../app.ts'
import { iso, later } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import { createSender, type Sender } from '../../../sender/sender.ts'
import { signatureHeader } from '../../../sender/signature.ts'
import type { StoreContext } from '../../../store-context.ts'
import { asStore, selectStoreById } from '../../installation/index.ts'
import {
  claimCalls,
  deliverCalled,
  failCalled,
  type LeasedCall,
  readOrder,
} from '../orders/index.ts'
import { addressSecretSealContext } from './sealed.ts'

/** A text is at most this long (domain: 64 KiB). */
const TEXT_MAX = 64 * 1024
/** Calls at once, and of one store. */
const LANES = 20
const LANES_OF_STORE = 5
/** Longer than a call takes; after it, the worker counts as dead. */
const LEASE_S = 30
const ATTEMPTS_MAX = 3
/** Waits before the second and the third attempt, by the store's clock. */
const WAITS_S = [30, 120] as const

/** Makes the calls that are due, of one store or of all, and returns their number. */
export async function callDue(app: App, storeId?: number): Promise<number> {
  const now = app.clock.now()
  const calls = await claimCalls(app.db, {
    now: iso(now),
    lease_until: later(iso(now), LEASE_S),
    limit: LANES,
    limitOfStore: LANES_OF_STORE,
    ...(storeId !== undefined && { storeId }),
  })
  if (calls.length === 0) return 0
  const { webhookAllowedHosts: allowedHosts } = app.config
  const sender = createSender({ allowedHosts, whole_body_max: TEXT_MAX })
  try {
    await Promise.all(calls.map((call) => callOrReport(app, sender, call)))
  } finally {
    await sender.close()
  }
  return calls.length
}

/** A failure of ours leaves the lease to expire; the attempt is used up. */
async function callOrReport(app: App, sender: Sender, call: LeasedCall): Promise<void> {
  try {
    await makeCall(app, sender, call)
  } catch (error) {
    app.log.error({ err: error, order_id: call.order_id }, 'a dynamic delivery could not be called')
  }
}

async function makeCall(app: App, sender: Sender, call: LeasedCall): Promise<void> {
  const row = await selectStoreById(app.db, call.store_id)
  if (!row) return
  const store = asStore(row)
  const context = storeContextOf(app, store)
  if (call.attempts > ATTEMPTS_MAX) {
    const error =
      'The last attempt was lost with its worker. Ask again, or deliver a text yourself.'
    await failCalled(context, call, { error, due_at: undefined })
    return
  }
  const outcome = await sender.send(await requestOf(app, context, call))
  // The answer may have taken 10 s.
  const after = storeContextOf(app, store, app.db, storeNow(app, store))
  if (outcome.ok && outcome.response_body !== null) {
    await deliverCalled(after, call, outcome.response_body)
    return
  }
  const wait_s = WAITS_S[call.attempts - 1]
  const due_at = wait_s === undefined ? undefined : later(after.now, wait_s)
  await failCalled(after, call, { error: errorOf(outcome), due_at })
}

const errorOf = ({ error }: Outcome): string =>
  error ?? 'invalid_response: The answer has no text; answer with the text to deliver.'

async function requestOf(app: App, context: StoreContext, call: LeasedCall) {
  const body = Buffer.from(JSON.stringify(await bodyOf(context, call)))
  const secret = app.vault.open(
    addressSecretSealContext(call.store_id, call.variant_id),
    call.secret_enc,
  )
  const t = Math.floor(app.clock.now() / 1_000)
  const headers = {
    'Service-Signature': signatureHeader([secret.toString()], t, body),
    'Service-Delivery-Attempt': String(call.attempts),
  }
  return { url: call.url, headers, body }
}

/** All attempts of a delivery have one `id`, so that the receiver can answer the same text again. */
async function bodyOf(context: StoreContext, { order_id, delivery_id }: LeasedCall) {
  const order = await readOrder(context, context.db, order_id)
  const delivery = order.deliveries.find((item) => item.id === delivery_id)
  const item = order.items.find((line) => line.id === delivery?.order_item_id)
  return {
    id: `${order_id}-${delivery_id}`,
    type: 'delivery.requested',
    livemode: context.store.livemode,
    order: {
      id: order.id,
      number: order.number,
      customer: { email: order.customer.email, name: order.customer.name },
      custom_fields: order.custom_fields,
    },
    item: item && {
      product_id: item.product_id,
      variant_id: item.variant_id,
      sku: item.sku,
      name: item.name,
      variant_name: item.variant_name,
      quantity: item.quantity,
    },
  }
}
