import { sql } from 'kysely'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { order, orderOf, product, zone } from '../build.ts'
import { fromNow } from '../clock.ts'
import {
  type Answer,
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../harness.ts'
import { accountCalls } from './account-calls.ts'
import { affiliateCalls } from './affiliate-calls.ts'
import type { CallInput, Prepare } from './call-input.ts'
import { catalogueCalls, createServiceProduct } from './catalogue-calls.ts'
import { customerCalls } from './customer-calls.ts'
import { PROVIDER_ENDPOINTS, paymentCalls } from './payment-calls.ts'
import { couponCalls, fulfillmentCalls, groupingCalls, subscriptionCalls } from './selling-calls.ts'
import { supportCalls } from './support-calls.ts'

export type { CallInput } from './call-input.ts'
export { fingerprintRows } from './fingerprint.ts'

/** Opens a Tradepost whose first keys have no rate limit, because the contract tests send many calls. */
export async function openUnlimited(): Promise<Tradepost> {
  const tradepost = await openTradepost()
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
  return tradepost
}

async function createOrder(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { id } = await createServiceProduct(tradepost, options)
  return order(tradepost, id, {}, options)
}

async function preparePaymentReview(
  tradepost: Tradepost,
  options: CallOptions,
): Promise<CallInput> {
  const { id } = await createOrder(tradepost, options)
  const { json } = await tradepost.post(
    `/orders/${id}/manual-payments`,
    { status: 'pending_review' },
    options,
  )
  return { params: { id, payment_id: json.payment.id }, body: { note: 'Seen.' } }
}

const ADDRESS = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }
const LOCATION = { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' }

/** A store has at most 250 zones and 100 locations, so those of earlier calls are deleted. */
async function deleteZonesAndLocations(tradepost: Tradepost, { as = tradepost.live }: CallOptions) {
  await sql`
    delete from shipping_zone z using store s where s.id = z.store_id and s.hash = ${as.id}`.execute(
    tradepost.db,
  )
  await sql`
    delete from location l using store s where s.id = l.store_id and s.hash = ${as.id}`.execute(
    tradepost.db,
  )
}

async function createZone(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  await deleteZonesAndLocations(tradepost, options)
  return zone(tradepost, {}, options)
}

async function createLocation(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  await deleteZonesAndLocations(tradepost, options)
  const { status, json } = await tradepost.post('/shipping/locations', LOCATION, options)
  if (status !== 201) throw new Error(`No location: ${JSON.stringify(json)}`)
  return json.location
}

const NEW_WEBHOOK = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }

/** A store has at most 20 webhook endpoints, so those of earlier calls are deleted. */
async function deleteWebhooks(tradepost: Tradepost, { as = tradepost.live }: CallOptions) {
  await sql`
    update webhook_endpoint w set deleted_at = w.created_at, enabled = false
      from store s where s.id = w.store_id and s.hash = ${as.id}`.execute(tradepost.db)
}

async function createWebhook(tradepost: Tradepost, options: CallOptions): Promise<string> {
  await deleteWebhooks(tradepost, options)
  const { status, json } = await tradepost.post('/webhooks', NEW_WEBHOOK, options)
  if (status !== 201) throw new Error(`No webhook: ${JSON.stringify(json)}`)
  return json.webhook.id
}

const NEW_LISTENER = { forward: 'http://localhost:3000/hook', events: ['*'] }

async function openListener(tradepost: Tradepost, options: CallOptions): Promise<string> {
  await deleteWebhooks(tradepost, options)
  const { status, json } = await tradepost.post('/webhook-listeners', NEW_LISTENER, options)
  if (status !== 201) throw new Error(`No listener: ${JSON.stringify(json)}`)
  return json.listener.id
}

async function createWebhookDelivery(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  await createWebhook(tradepost, options)
  await createOrder(tradepost, options)
  const { json } = await tradepost.get('/events/deliveries', options)
  return json.deliveries[0]
}

/**
 * Prepares a successful call of every endpoint of the Store API. The contract tests send these calls,
 * and fail for an endpoint without one (`unmatchedCalls`).
 */
const preparedCalls: Record<string, Prepare> = {
  ...catalogueCalls,
  ...affiliateCalls,
  'account.get': async () => ({}),
  'analytics.sales': async (tradepost, options) => {
    const { id } = await createServiceProduct(tradepost, options)
    await order(tradepost, id, { mark_paid: true }, options)
    return {}
  },
  ...accountCalls,
  'account.advance_test_clock': async () => ({ body: { advance: '1s' } }),
  'account.list_audit_events': async () => ({}),
  'orders.list': async (tradepost, options) => {
    await createOrder(tradepost, options)
    return {}
  },
  'orders.create': async (tradepost, options) => ({
    body: orderOf((await createServiceProduct(tradepost, options)).id, {
      shipping_address: ADDRESS,
    }),
  }),
  'orders.get': async (tradepost, options) => ({
    params: { id: (await createOrder(tradepost, options)).id },
  }),
  'orders.explain': async (tradepost, options) => ({
    params: { id: (await createOrder(tradepost, options)).id },
  }),
  'orders.update': async (tradepost, options) => ({
    params: { id: (await createOrder(tradepost, options)).id },
    body: { note: 'Asked for an invoice.' },
  }),
  'orders.cancel': async (tradepost, options) => ({
    params: { id: (await createOrder(tradepost, options)).id },
    body: { reason: 'The customer asked.' },
  }),
  'orders.list_payments': async (tradepost, options) => ({
    params: { id: (await createOrder(tradepost, options)).id },
  }),
  'orders.list_deliveries': async (tradepost, options) => ({
    params: { id: (await createOrder(tradepost, options)).id },
  }),
  'orders.list_delivery_keys': async (tradepost, options) => {
    const { id } = await product(tradepost, {}, { keys: ['WALK-GGGG-HHHH-0001'], ...options })
    const paidOrder = await order(tradepost, id, { mark_paid: true }, options)
    return { params: { id: paidOrder.id, delivery_id: paidOrder.deliveries[0].id } }
  },
  'orders.deliver': async (tradepost, options) => {
    const { id } = await createServiceProduct(tradepost, options)
    const paidOrder = await order(tradepost, id, { mark_paid: true }, options)
    return {
      params: { id: paidOrder.id },
      body: { order_item_id: paidOrder.items[0].id, text: 'Monday, 10.' },
    }
  },
  'orders.resend_deliveries': async (tradepost, options) => {
    const { id } = await product(tradepost, {}, { keys: ['WALK-EEEE-FFFF-0001'], ...options })
    return { params: { id: (await order(tradepost, id, { mark_paid: true }, options)).id } }
  },
  'orders.replace_delivery': async (tradepost, options) => {
    const keys = ['WALK-CCCC-DDDD-0001', 'WALK-CCCC-DDDD-0002', 'WALK-CCCC-DDDD-0003']
    const { id } = await product(tradepost, {}, { keys, ...options })
    const items = [{ product_id: id, quantity: 2 }]
    const paidOrder = await order(tradepost, id, { items, mark_paid: true }, options)
    return {
      params: { id: paidOrder.id, delivery_id: paidOrder.deliveries[0].id },
      body: { key: keys[0], reason: 'It was used before.' },
    }
  },
  'orders.hold': async (tradepost, options) => ({
    params: { id: (await createOrder(tradepost, options)).id },
    body: { reason: 'manual' },
  }),
  'orders.release': async (tradepost, options) => {
    const { id } = await createOrder(tradepost, options)
    await tradepost.post(`/orders/${id}/hold`, {}, options)
    return { params: { id } }
  },
  'orders.rotate_link': async (tradepost, options) => ({
    params: { id: (await createOrder(tradepost, options)).id },
  }),
  'orders.refund': async (tradepost, options) => {
    const { id } = await createServiceProduct(tradepost, options)
    const paidOrder = await order(tradepost, id, { mark_paid: true }, options)
    const items = [{ order_item_id: paidOrder.items[0].id, quantity: 1, amount_cents: 100 }]
    return { params: { id: paidOrder.id }, body: { items } }
  },
  'orders.add_manual_payment': async (tradepost, options) => ({
    params: { id: (await createOrder(tradepost, options)).id },
    body: { reference: 'Transfer 4711' },
  }),
  'orders.approve_manual_payment': preparePaymentReview,
  'orders.reject_manual_payment': preparePaymentReview,
  ...Object.fromEntries(['categories', 'groups'].flatMap((plural) => groupingCalls(plural))),
  ...customerCalls,
  ...paymentCalls,
  ...couponCalls,
  ...subscriptionCalls,
  ...fulfillmentCalls,
  ...supportCalls,
  'shipping.list_zones': async (tradepost, options) => {
    await createZone(tradepost, options)
    return {}
  },
  'shipping.create_zone': async (tradepost, options) => {
    await deleteZonesAndLocations(tradepost, options)
    return {
      body: { name: 'World', countries: ['*'], rates: [{ name: 'Post', calc_type: 'flat' }] },
    }
  },
  'shipping.reorder_zones': async (tradepost, options) => {
    const { id } = await createZone(tradepost, options)
    return { body: { ids: [(await zone(tradepost, {}, options)).id, id] } }
  },
  'shipping.get_zone': async (tradepost, options) => ({
    params: { id: (await createZone(tradepost, options)).id },
  }),
  'shipping.update_zone': async (tradepost, options) => ({
    params: { id: (await createZone(tradepost, options)).id },
    body: { name: 'Near' },
  }),
  'shipping.delete_zone': async (tradepost, options) => ({
    params: { id: (await createZone(tradepost, options)).id },
  }),
  'shipping.quote': async (tradepost, options) => {
    await createZone(tradepost, options)
    const { id } = await product(tradepost, { name: 'Mug', type: 'physical' }, options)
    return { body: { country: 'DE', items: [{ product_id: id, quantity: 1 }] } }
  },
  'shipping.list_locations': async (tradepost, options) => {
    await createLocation(tradepost, options)
    return {}
  },
  'shipping.create_location': async (tradepost, options) => {
    await deleteZonesAndLocations(tradepost, options)
    return { body: LOCATION }
  },
  'shipping.get_location': async (tradepost, options) => ({
    params: { id: (await createLocation(tradepost, options)).id },
  }),
  'shipping.update_location': async (tradepost, options) => ({
    params: { id: (await createLocation(tradepost, options)).id },
    body: { city: 'Hamburg' },
  }),
  'shipping.delete_location': async (tradepost, options) => ({
    params: { id: (await createLocation(tradepost, options)).id },
  }),
  'webhooks.list': async (tradepost, options) => {
    await createWebhook(tradepost, options)
    return {}
  },
  'webhooks.create': async (tradepost, options) => {
    await deleteWebhooks(tradepost, options)
    return { body: NEW_WEBHOOK }
  },
  'webhooks.get': async (tradepost, options) => ({
    params: { id: await createWebhook(tradepost, options) },
  }),
  'webhooks.update': async (tradepost, options) => ({
    params: { id: await createWebhook(tradepost, options) },
    body: { description: 'Orders' },
  }),
  'webhooks.delete': async (tradepost, options) => ({
    params: { id: await createWebhook(tradepost, options) },
  }),
  // Nothing listens at this address: the call succeeds and reports the failed attempt.
  'webhooks.test': async (tradepost, options) => ({
    params: { id: await createWebhook(tradepost, options) },
  }),
  'webhooks.replay': async (tradepost, options) => ({
    params: { id: await createWebhook(tradepost, options) },
    body: { since: fromNow(-3_600_000) },
  }),
  'webhooks.open_listener': async (tradepost, options) => {
    await deleteWebhooks(tradepost, options)
    return { body: NEW_LISTENER }
  },
  'webhooks.poll_listener': async (tradepost, options) => ({
    params: { id: await openListener(tradepost, options) },
    body: { wait_s: 0 },
  }),
  'webhooks.close_listener': async (tradepost, options) => ({
    params: { id: await openListener(tradepost, options) },
  }),
  'events.trigger': async () => ({ body: { type: 'order.completed' } }),
  'events.explain_delivery': async (tradepost, options) => ({
    params: { id: (await createWebhookDelivery(tradepost, options)).id },
    body: { header: `t=1700000000,v1=${'0'.repeat(64)}` },
  }),
  'events.types': async () => ({}),
  'events.deliveries': async (tradepost, options) => {
    await createWebhookDelivery(tradepost, options)
    return {}
  },
  'events.get_delivery': async (tradepost, options) => ({
    params: { id: (await createWebhookDelivery(tradepost, options)).id },
  }),
  'events.resend': async (tradepost, options) => ({
    params: { id: (await createWebhookDelivery(tradepost, options)).id },
  }),
}

/** Returns the endpoints without a prepared call, and the prepared calls without an endpoint. There must be none. */
export function unmatchedCalls(): string[] {
  const endpointIds = new Set(storeEndpoints.map(({ id }) => id))
  return [
    ...[...endpointIds]
      .filter((id) => !(id in preparedCalls))
      .map((id) => `${id} has no prepared call`),
    ...Object.keys(preparedCalls)
      .filter((id) => !endpointIds.has(id))
      .map((id) => `${id} is no endpoint`),
  ]
}

/** The endpoints that refuse live keys. They are called on the test side. */
export const TEST_SIDE_ONLY: ReadonlySet<string> = new Set([
  'account.advance_test_clock',
  ...PROVIDER_ENDPOINTS,
])

export const sideOf = (tradepost: Tradepost, { id }: Endpoint) =>
  TEST_SIDE_ONLY.has(id) ? tradepost.test : tradepost.live

/** Prepares the call of an endpoint. `options.as` selects the side. */
export function prepare(
  tradepost: Tradepost,
  endpoint: Endpoint,
  { as = sideOf(tradepost, endpoint) }: CallOptions = {},
): Promise<CallInput> {
  const prepareCall = preparedCalls[endpoint.id]
  if (!prepareCall)
    throw new Error(
      `${endpoint.id} has no prepared call. Add a successful call to test/contract/prepared-calls.ts.`,
    )
  return prepareCall(tradepost, { as })
}

export const pathOf = (endpoint: Endpoint, { params = {}, query = {} }: CallInput): string => {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => String(params[name] ?? `no-${name}`))
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}

/** Sends a prepared call. */
export const send = (
  tradepost: Tradepost,
  endpoint: Endpoint,
  input: CallInput,
  options: CallOptions = {},
): Promise<Answer> =>
  tradepost.call(endpoint.method, pathOf(endpoint, input), {
    body: input.body,
    as: sideOf(tradepost, endpoint),
    ...options,
  })

/** Returns the body of an answer without its request id, which differs in every answer. */
export const textWithoutRequestId = ({ text }: Answer): string =>
  text.replace(/req_\w{22}/g, 'req_')

/** Returns the differences between an answer and the envelope of the specification ("Errors"). */
export function faultsOfEnvelope({ status, json, headers }: Answer): string[] {
  const faults: string[] = []
  const id = String(headers['x-request-id'])
  if (!/^req_[0-9A-Za-z]{22}$/.test(id)) faults.push(`x-request-id is ${id}`)
  if (status < 300) return json?.success === true ? faults : [...faults, 'success is not true']
  const { success, code, error, details, request_id, ...more } = json ?? {}
  if (success !== false) faults.push(`success is ${success}`)
  if (!/^[A-Z]+(_[A-Z]+)*$/.test(code)) faults.push(`code is ${code}`)
  if (typeof error !== 'string' || error === '') faults.push(`error is ${error}`)
  if (details !== undefined && Object.prototype.toString.call(details) !== '[object Object]')
    faults.push('details is no object')
  if (request_id !== id) faults.push(`request_id is ${request_id}, x-request-id is ${id}`)
  if (Object.keys(more).length > 0) faults.push(`more fields: ${Object.keys(more)}`)
  return faults
}
