import { sql } from 'kysely'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { order, orderOf, product, zone } from '../build.ts'
import {
  type Answer,
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../harness.ts'
import { accountWalks } from './account-walks.ts'
import { affiliateWalks } from './affiliate-walks.ts'
import type { Ask, Prepare } from './ask.ts'
import { aProduct, catalogueWalks } from './catalogue-walks.ts'
import { customerWalks } from './customer-walks.ts'
import { couponWalks, fulfillmentWalks, groupingWalks, subscriptionWalks } from './selling-walks.ts'
import { supportWalks } from './support-walks.ts'

export type { Ask } from './ask.ts'
export { aFile, anAlert, aPicture } from './catalogue-walks.ts'
export { rows } from './fingerprint.ts'

/** A Tradepost whose first keys have no rate limit, because walks send many calls. */
export async function openWalk(): Promise<Tradepost> {
  const tradepost = await openTradepost()
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
  return tradepost
}

export async function anOrder(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  const { id } = await aProduct(tradepost, options)
  return order(tradepost, id, {}, options)
}

async function aReview(tradepost: Tradepost, options: CallOptions): Promise<Ask> {
  const { id } = await anOrder(tradepost, options)
  const { json } = await tradepost.post(
    `/orders/${id}/manual-payments`,
    { status: 'pending_review' },
    options,
  )
  return { params: { id, payment_id: json.payment.id }, body: { note: 'Seen.' } }
}

const ADDRESS = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }
const LOCATION = { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' }

/** A store has at most 250 zones and 100 locations, so those of earlier walks are deleted. */
async function clearShipping(tradepost: Tradepost, { as = tradepost.live }: CallOptions) {
  await sql`
    delete from shipping_zone z using store s where s.id = z.store_id and s.hash = ${as.id}`.execute(
    tradepost.db,
  )
  await sql`
    delete from location l using store s where s.id = l.store_id and s.hash = ${as.id}`.execute(
    tradepost.db,
  )
}

async function aZone(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  await clearShipping(tradepost, options)
  return zone(tradepost, {}, options)
}

async function aLocation(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  await clearShipping(tradepost, options)
  const { status, json } = await tradepost.post('/shipping/locations', LOCATION, options)
  if (status !== 201) throw new Error(`No location: ${JSON.stringify(json)}`)
  return json.location
}

const NEW_WEBHOOK = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }

/** A store has at most 20 webhook endpoints, so those of earlier walks are deleted. */
async function retireWebhooks(tradepost: Tradepost, { as = tradepost.live }: CallOptions) {
  await sql`
    update webhook_endpoint w set deleted_at = w.created_at, enabled = false
      from store s where s.id = w.store_id and s.hash = ${as.id}`.execute(tradepost.db)
}

async function aWebhook(tradepost: Tradepost, options: CallOptions): Promise<string> {
  await retireWebhooks(tradepost, options)
  const { status, json } = await tradepost.post('/webhooks', NEW_WEBHOOK, options)
  if (status !== 201) throw new Error(`No webhook: ${JSON.stringify(json)}`)
  return json.webhook.id
}

async function aDelivery(tradepost: Tradepost, options: CallOptions): Promise<Json> {
  await aWebhook(tradepost, options)
  await anOrder(tradepost, options)
  const { json } = await tradepost.get('/events/deliveries', options)
  return json.deliveries[0]
}

/**
 * A successful call for every endpoint of the Store API. The contract tests iterate over these; an endpoint
 * without one fails them (see `walked`).
 */
export const walks: Record<string, Prepare> = {
  ...catalogueWalks,
  ...affiliateWalks,
  'account.get': async () => ({}),
  'analytics.sales': async (tradepost, options) => {
    const { id } = await aProduct(tradepost, options)
    await order(tradepost, id, { mark_paid: true }, options)
    return {}
  },
  ...accountWalks,
  'account.advance_test_clock': async () => ({ body: { advance: '1s' } }),
  'account.list_audit_events': async () => ({}),
  'orders.list': async (tradepost, options) => {
    await anOrder(tradepost, options)
    return {}
  },
  'orders.create': async (tradepost, options) => ({
    body: orderOf((await aProduct(tradepost, options)).id, { shipping_address: ADDRESS }),
  }),
  'orders.get': async (tradepost, options) => ({
    params: { id: (await anOrder(tradepost, options)).id },
  }),
  'orders.explain': async (tradepost, options) => ({
    params: { id: (await anOrder(tradepost, options)).id },
  }),
  'orders.update': async (tradepost, options) => ({
    params: { id: (await anOrder(tradepost, options)).id },
    body: { note: 'Asked for an invoice.' },
  }),
  'orders.cancel': async (tradepost, options) => ({
    params: { id: (await anOrder(tradepost, options)).id },
    body: { reason: 'The customer asked.' },
  }),
  'orders.list_payments': async (tradepost, options) => ({
    params: { id: (await anOrder(tradepost, options)).id },
  }),
  'orders.list_deliveries': async (tradepost, options) => ({
    params: { id: (await anOrder(tradepost, options)).id },
  }),
  'orders.list_delivery_keys': async (tradepost, options) => {
    const { id } = await product(tradepost, {}, { keys: ['WALK-GGGG-HHHH-0001'], ...options })
    const sold = await order(tradepost, id, { mark_paid: true }, options)
    return { params: { id: sold.id, delivery_id: sold.deliveries[0].id } }
  },
  'orders.deliver': async (tradepost, options) => {
    const { id } = await aProduct(tradepost, options)
    const sold = await order(tradepost, id, { mark_paid: true }, options)
    return {
      params: { id: sold.id },
      body: { order_item_id: sold.items[0].id, text: 'Monday, 10.' },
    }
  },
  'orders.resend_deliveries': async (tradepost, options) => {
    const { id } = await product(tradepost, {}, { keys: ['WALK-EEEE-FFFF-0001'], ...options })
    return { params: { id: (await order(tradepost, id, { mark_paid: true }, options)).id } }
  },
  'orders.replace_delivery': async (tradepost, options) => {
    const keys = ['WALK-CCCC-DDDD-0001', 'WALK-CCCC-DDDD-0002']
    const { id } = await product(tradepost, {}, { keys, ...options })
    const sold = await order(tradepost, id, { mark_paid: true }, options)
    return { params: { id: sold.id, delivery_id: sold.deliveries[0].id } }
  },
  'orders.refund': async (tradepost, options) => {
    const { id } = await aProduct(tradepost, options)
    const sold = await order(tradepost, id, { mark_paid: true }, options)
    return { params: { id: sold.id }, body: { amount_cents: 100 } }
  },
  'orders.add_manual_payment': async (tradepost, options) => ({
    params: { id: (await anOrder(tradepost, options)).id },
    body: { reference: 'Transfer 4711' },
  }),
  'orders.approve_manual_payment': aReview,
  'orders.reject_manual_payment': aReview,
  ...Object.fromEntries(['categories', 'groups'].flatMap((plural) => groupingWalks(plural))),
  ...customerWalks,
  ...couponWalks,
  ...subscriptionWalks,
  ...fulfillmentWalks,
  ...supportWalks,
  'shipping.list_zones': async (tradepost, options) => {
    await aZone(tradepost, options)
    return {}
  },
  'shipping.create_zone': async (tradepost, options) => {
    await clearShipping(tradepost, options)
    return {
      body: { name: 'World', countries: ['*'], rates: [{ name: 'Post', calc_type: 'flat' }] },
    }
  },
  'shipping.reorder_zones': async (tradepost, options) => ({
    body: { ids: [(await aZone(tradepost, options)).id] },
  }),
  'shipping.get_zone': async (tradepost, options) => ({
    params: { id: (await aZone(tradepost, options)).id },
  }),
  'shipping.update_zone': async (tradepost, options) => ({
    params: { id: (await aZone(tradepost, options)).id },
    body: { name: 'Near' },
  }),
  'shipping.delete_zone': async (tradepost, options) => ({
    params: { id: (await aZone(tradepost, options)).id },
  }),
  'shipping.quote': async (tradepost, options) => {
    await aZone(tradepost, options)
    const { id } = await product(tradepost, { name: 'Mug', type: 'physical' }, options)
    return { body: { country: 'DE', items: [{ product_id: id, quantity: 1 }] } }
  },
  'shipping.list_locations': async (tradepost, options) => {
    await aLocation(tradepost, options)
    return {}
  },
  'shipping.create_location': async (tradepost, options) => {
    await clearShipping(tradepost, options)
    return { body: LOCATION }
  },
  'shipping.get_location': async (tradepost, options) => ({
    params: { id: (await aLocation(tradepost, options)).id },
  }),
  'shipping.update_location': async (tradepost, options) => ({
    params: { id: (await aLocation(tradepost, options)).id },
    body: { city: 'Hamburg' },
  }),
  'shipping.delete_location': async (tradepost, options) => ({
    params: { id: (await aLocation(tradepost, options)).id },
  }),
  'webhooks.list': async (tradepost, options) => {
    await aWebhook(tradepost, options)
    return {}
  },
  'webhooks.create': async (tradepost, options) => {
    await retireWebhooks(tradepost, options)
    return { body: NEW_WEBHOOK }
  },
  'webhooks.get': async (tradepost, options) => ({
    params: { id: await aWebhook(tradepost, options) },
  }),
  'webhooks.update': async (tradepost, options) => ({
    params: { id: await aWebhook(tradepost, options) },
    body: { description: 'Orders' },
  }),
  'webhooks.delete': async (tradepost, options) => ({
    params: { id: await aWebhook(tradepost, options) },
  }),
  // Nothing listens at this address: the call succeeds and reports the failed attempt.
  'webhooks.test': async (tradepost, options) => ({
    params: { id: await aWebhook(tradepost, options) },
  }),
  'events.types': async () => ({}),
  'events.deliveries': async (tradepost, options) => {
    await aDelivery(tradepost, options)
    return {}
  },
  'events.get_delivery': async (tradepost, options) => ({
    params: { id: (await aDelivery(tradepost, options)).id },
  }),
  'events.resend': async (tradepost, options) => ({
    params: { id: (await aDelivery(tradepost, options)).id },
  }),
}

/** Endpoints without a walk, and walks without an endpoint. Both must be empty. */
export function unmatchedWalks(): string[] {
  const served = new Set(storeEndpoints.map(({ id }) => id))
  return [
    ...[...served].filter((id) => !(id in walks)).map((id) => `${id} has no walk`),
    ...Object.keys(walks)
      .filter((id) => !served.has(id))
      .map((id) => `${id} is no endpoint`),
  ]
}

/** Endpoints that refuse live keys are walked on the test side. */
export const TEST_SIDE_ONLY: ReadonlySet<string> = new Set(['account.advance_test_clock'])

export const sideOf = (tradepost: Tradepost, { id }: Endpoint) =>
  TEST_SIDE_ONLY.has(id) ? tradepost.test : tradepost.live

/** Prepares the call of an endpoint; `options.as` selects the side. */
export function prepare(
  tradepost: Tradepost,
  e: Endpoint,
  { as = sideOf(tradepost, e) }: CallOptions = {},
): Promise<Ask> {
  const walk = walks[e.id]
  if (!walk) throw new Error(`${e.id} has no walk: add a call that works to test/contract/walk.ts.`)
  return walk(tradepost, { as })
}

export const pathOf = (e: Endpoint, { params = {}, query = {} }: Ask): string => {
  const path = e.path.replace(/:(\w+)/g, (_, name) => String(params[name] ?? `no-${name}`))
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}

export const send = (
  tradepost: Tradepost,
  e: Endpoint,
  ask: Ask,
  options: CallOptions = {},
): Promise<Answer> =>
  tradepost.call(e.method, pathOf(e, ask), {
    body: ask.body,
    as: sideOf(tradepost, e),
    ...options,
  })

/** The bytes of an answer, without the request id. */
export const bytesOf = ({ text }: Answer): string => text.replace(/req_\w{22}/g, 'req_')

/** Every refusal has the envelope of the specification ("Errors"). */
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
