import { order, product } from './build.ts'
import type { CallOptions, Json, Tradepost } from './harness.ts'

/** Creates a subscription product that costs 10.00, each month by default. Returns its id. */
export async function subscriptionProduct(
  tradepost: Tradepost,
  billing: Json = {},
  fields: Json = {},
  options: CallOptions = {},
): Promise<string> {
  const body = { type: 'service', product_kind: 'subscription', ...fields }
  const { id } = await product(tradepost, body, options)
  const schedule = { billing_cycle: 'monthly', ...billing }
  const { status, json } = await tradepost.put(`/products/${id}/billing`, schedule, options)
  if (status !== 200) throw new Error(`No billing: ${JSON.stringify(json)}`)
  return id
}

/** Buys a subscription product and pays the order. Returns the subscription. */
export async function subscribe(
  tradepost: Tradepost,
  productId: string,
  fields: Json = {},
  options: CallOptions = {},
): Promise<Json> {
  const newOrder = await order(tradepost, productId, { mark_paid: true, ...fields }, options)
  return subscriptionOf(tradepost, newOrder, options)
}

/** Returns the subscription that an order started. */
export async function subscriptionOf(
  tradepost: Tradepost,
  { id }: Json,
  options: CallOptions = {},
): Promise<Json> {
  const { json } = await tradepost.get('/subscriptions?limit=100', options)
  const listed = json.subscriptions.find((item: Json) => item.initial_invoice_id === id)
  return subscription(tradepost, listed.id, options)
}

export async function subscription(
  tradepost: Tradepost,
  id: number,
  options: CallOptions = {},
): Promise<Json> {
  const { status, json } = await tradepost.get(`/subscriptions/${id}`, options)
  if (status !== 200) throw new Error(`No subscription: ${JSON.stringify(json)}`)
  return json.subscription
}

/** Changes the balance of the customer with this address to `cents`. */
export async function setBalance(
  tradepost: Tradepost,
  email: string,
  cents: number,
  options: CallOptions = {},
): Promise<void> {
  const { json } = await tradepost.get(`/customers?email=${encodeURIComponent(email)}`, options)
  const [customer] = json.customers
  const amount_cents = cents - customer.balance_cents
  if (amount_cents === 0) return
  const change = { amount_cents, reason: 'Set by a test.' }
  const { status, text } = await tradepost.post(
    `/customers/${customer.id}/balance`,
    change,
    options,
  )
  if (status !== 201 && status !== 200) throw new Error(text)
}
