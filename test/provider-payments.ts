import { keysNamed, order, product } from './build.ts'
import type { CallOptions, Json, Tradepost } from './harness.ts'
import type { StoreWithClock } from './store-with-clock.ts'

/** The fields of a provider in a payment without one. */
export const WITHOUT_PROVIDER = {
  provider: null,
  external_id: null,
  checkout_url: null,
  expires_at: null,
  failure: null,
  refunded_cents: null,
  dispute: null,
  review_reason: null,
  fee_cents: null,
  fee_currency: null,
}

/** Starts a payment of the provider `test`, and returns the answer's payment. */
export async function startPayment(
  tradepost: Tradepost,
  orderId: string,
  options: CallOptions = { as: tradepost.test },
): Promise<Json> {
  const { json, text } = await tradepost.post(
    `/orders/${orderId}/payments`,
    { method: 'test' },
    options,
  )
  if (!json.payment) throw new Error(`No payment: ${text}`)
  return json.payment
}

/** Creates an unpaid order with a started payment. Without `keys` its product is a service. */
export async function startedOrder(
  tradepost: Tradepost,
  fields: Json = {},
  { keys, ...options }: CallOptions & { keys?: string[] } = { as: tradepost.test },
): Promise<{ order: Json; payment: Json }> {
  const { id } = await product(tradepost, keys ? {} : { type: 'service' }, {
    ...options,
    ...(keys && { keys }),
  })
  const unpaid = await order(tradepost, id, fields, options)
  return { order: unpaid, payment: await startPayment(tradepost, unpaid.id, options) }
}

/** Plays the buyer of a payment in a store, and returns the answer. */
export const playIn = async (
  { tradepost, as }: StoreWithClock,
  { payment }: { payment: Json },
  body: Json,
): Promise<Json> => (await simulate(tradepost, payment, body, as)).json

/** Sells a key for 1000 through the provider `test`, without its events. */
export async function paidThroughProvider(
  store: StoreWithClock,
  fields: Json = {},
): Promise<{ order: Json; payment: Json }> {
  const { tradepost, as } = store
  const started = await startedOrder(tradepost, fields, { ...as, keys: keysNamed('PROVIDER', 1) })
  const { order, payment } = await playIn(store, started, { do: 'pay' })
  await tradepost.events()
  return { order, payment }
}

/** Plays the buyer of a payment. */
export const simulate = (
  tradepost: Tradepost,
  { order_id, id }: Json,
  body: Json,
  options: CallOptions = { as: tradepost.test },
) => tradepost.post(`/orders/${order_id}/payments/${id}/simulate`, body, options)
