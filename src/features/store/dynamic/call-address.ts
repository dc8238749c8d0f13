import { type App, storeContextOf, storeNow } from '../../../app.ts'
import { addSeconds, iso } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import { createSender, type Sender } from '../../../sender/sender.ts'
import { signatureHeader } from '../../../sender/signature.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectStoreById } from '../../installation/index.ts'
import {
  claimCalls,
  deliverAnswer,
  type LeasedCall,
  readOrder,
  recordFailedCall,
} from '../orders/index.ts'
import { addressSecretSealContext } from './sealed.ts'

const ANSWER_BYTES_MAX = 64 * 1024
/** The maximum number of concurrent calls of this process, and of those for one store by all processes. */
const CALLS_MAX = 60
const CALLS_OF_STORE_MAX = 5
/** The lease of a call, which is longer than the timeout of a call. Then another worker may claim the call. */
const LEASE_S = 30
const ATTEMPTS_MAX = 3
/** The delays before the second and the third attempt, by the store's clock. */
const RETRY_DELAYS_S = [30, 120] as const

const runningCalls = new Set<Promise<void>>()

/**
 * Asks the addresses of dynamic variants for the texts of a batch of due deliveries, of one store or of all stores.
 * Returns the number of calls and their end. The next batch does not wait for it, because an address that takes 10 s
 * to answer would then delay the deliveries of all other stores.
 */
export async function startDueCalls(
  app: App,
  storeId?: number,
): Promise<{ count: number; ended: Promise<void> }> {
  const now = app.clock.now()
  const calls = await claimCalls(app.db, {
    now: iso(now),
    lease_until: addSeconds(iso(now), LEASE_S),
    limit: CALLS_MAX - runningCalls.size,
    perStore: CALLS_OF_STORE_MAX,
    ...(storeId !== undefined && { storeId }),
  })
  if (calls.length === 0) return { count: 0, ended: Promise.resolve() }
  const { webhookAllowedHosts: allowedHosts } = app.config
  const sender = createSender({ allowedHosts, whole_body_max: ANSWER_BYTES_MAX })
  const batch = calls.map((call) => trackCall(makeCallSafely(app, sender, call)))
  return { count: calls.length, ended: Promise.all(batch).then(() => sender.close()) }
}

function trackCall(call: Promise<void>): Promise<void> {
  runningCalls.add(call)
  return call.finally(() => runningCalls.delete(call))
}

/** Waits until no call of this process runs. */
export async function finishCalls(): Promise<void> {
  while (runningCalls.size > 0) await Promise.all(runningCalls)
}

/** Makes a call, and logs an internal error. The attempt then counts, and the call is due again after its lease. */
async function makeCallSafely(app: App, sender: Sender, call: LeasedCall): Promise<void> {
  try {
    await makeCall(app, sender, call)
  } catch (error) {
    app.log.error({ err: error, order_id: call.order_id }, 'a dynamic delivery could not be called')
  }
}

async function makeCall(app: App, sender: Sender, call: LeasedCall): Promise<void> {
  const store = await selectStoreById(app.db, call.store_id)
  if (!store) return
  const context = storeContextOf(app, store)
  if (call.attempts > ATTEMPTS_MAX) {
    const error =
      'The worker of the last attempt crashed. Start a new call, or deliver a text yourself.'
    await recordFailedCall(context, call, { error, due_at: undefined })
    return
  }
  const outcome = await sender.send(await requestOf(app, context, call))
  // The call may have taken 10 s, so the result has a newer time.
  const contextAfterCall = storeContextOf(app, store, app.db, storeNow(app, store))
  if (outcome.ok && outcome.response_body !== null) {
    await deliverAnswer(contextAfterCall, call, outcome.response_body)
    return
  }
  const delay_s = RETRY_DELAYS_S[call.attempts - 1]
  const due_at = delay_s === undefined ? undefined : addSeconds(contextAfterCall.now, delay_s)
  await recordFailedCall(contextAfterCall, call, { error: errorOf(outcome), due_at })
}

const errorOf = ({ error }: Outcome): string =>
  error ?? 'invalid_response: The answer has no text; answer with the text to deliver.'

async function requestOf(app: App, context: StoreContext, call: LeasedCall) {
  const body = Buffer.from(JSON.stringify(await bodyOf(context, call)))
  const secret = app.vault.open(
    addressSecretSealContext(call.store_id, call.variant_id),
    call.secret_enc,
  )
  const timestamp = Math.floor(app.clock.now() / 1_000)
  const headers = {
    'Service-Signature': signatureHeader([secret.toString()], timestamp, body),
    'Service-Delivery-Attempt': String(call.attempts),
  }
  return { url: call.url, headers, body }
}

/**
 * Returns the body of a call. All attempts of a delivery have the same `id`, so that the receiver can
 * answer each with the same text.
 */
async function bodyOf(context: StoreContext, { order_id, delivery_id }: LeasedCall) {
  const order = await readOrder(context, context.db, order_id)
  const delivery = order.deliveries.find(({ id }) => id === delivery_id)
  const item = order.items.find(({ id }) => id === delivery?.order_item_id)
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
      quantity: item.quantity - item.cancelled_quantity,
    },
  }
}
