import { sql } from 'kysely'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { orderOf, product } from '../build.ts'
import { type Answer, type CallOptions, openTradepost, type Tradepost } from '../harness.ts'
import {
  A_FILE,
  A_VIDEO,
  type Ask,
  aDelivery,
  aFile,
  aKey,
  aLocation,
  anAlert,
  anOrder,
  aPicture,
  aProduct,
  aReview,
  aVariant,
  aWebhook,
  aZone,
  clearShipping,
  LOCATION,
  NEW_WEBHOOK,
  retireWebhooks,
  twoVariants,
} from './records.ts'

export type { Ask }

/** A shop whose first keys have no limit: walks are fast. */
export async function openWalk(): Promise<Tradepost> {
  const shop = await openTradepost()
  await sql`update api_key set rate_limit = 0`.execute(shop.db)
  return shop
}

/** Makes the records that a call needs, on the side that calls, and says what to ask for. */
type Prepare = (shop: Tradepost, options: CallOptions) => Promise<Ask>

/**
 * For every endpoint of the Store API a call that works. The contract tests walk over these, so an
 * endpoint without one fails them (see `strays`).
 */
export const walks: Record<string, Prepare> = {
  'account.get': async () => ({}),
  'orders.list': async (shop, options) => {
    await anOrder(shop, options)
    return {}
  },
  'orders.create': async (shop, options) => ({ body: orderOf((await aProduct(shop, options)).id) }),
  'orders.get': async (shop, options) => ({ params: { id: (await anOrder(shop, options)).id } }),
  'orders.cancel': async (shop, options) => ({
    params: { id: (await anOrder(shop, options)).id },
    body: { reason: 'The customer asked.' },
  }),
  'orders.add_manual_payment': async (shop, options) => ({
    params: { id: (await anOrder(shop, options)).id },
    body: { reference: 'Transfer 4711' },
  }),
  'orders.approve_manual_payment': aReview,
  'orders.reject_manual_payment': aReview,
  'products.list': async (shop, options) => {
    await aProduct(shop, options)
    return { query: { include: 'details,seo,methods,media,variants' } }
  },
  'products.create': async () => ({ body: { name: 'Photo editor', price_cents: 1999 } }),
  'products.get': async (shop, options) => ({ params: { id: (await aProduct(shop, options)).id } }),
  'products.update': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
    body: { price_cents: 1499 },
  }),
  'products.delete': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
  }),
  'products.duplicate': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
  }),
  'variants.list': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
  }),
  'variants.create': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
    body: { name: 'Family' },
  }),
  'variants.order': async (shop, options) => {
    const { id, ids } = await twoVariants(shop, options)
    return { params: { id }, body: { ids: ids.reverse() } }
  },
  'variants.get': async (shop, options) => ({ params: await aVariant(shop, options) }),
  'variants.update': async (shop, options) => ({
    params: await aVariant(shop, options),
    body: { price_cents: 1499 },
  }),
  'variants.delete': async (shop, options) => ({ params: await aVariant(shop, options) }),
  'variants.get_dimensions': async (shop, options) => ({ params: await aVariant(shop, options) }),
  'variants.set_dimensions': async (shop, options) => ({
    params: await aVariant(shop, options),
    body: { length_cm: 30, width_cm: 20, height_cm: 5.5 },
  }),
  'media.list': async (shop, options) => ({ params: { id: (await aPicture(shop, options)).id } }),
  'media.create': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
    body: A_VIDEO,
  }),
  'media.order': async (shop, options) => {
    const { id, media_id } = await aPicture(shop, options)
    const { json } = await shop.post(`/products/${id}/media`, A_VIDEO, options)
    return { params: { id }, body: { ids: [json.media.id, media_id] } }
  },
  'media.update': async (shop, options) => ({
    params: await aPicture(shop, options),
    body: { meta: { alt: 'A walk' } },
  }),
  'media.delete': async (shop, options) => ({ params: await aPicture(shop, options) }),
  'details.get': async (shop, options) => ({ params: { id: (await aProduct(shop, options)).id } }),
  'details.update': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
    body: { short_description: 'Short.' },
  }),
  'seo.get': async (shop, options) => ({ params: { id: (await aProduct(shop, options)).id } }),
  'seo.update': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
    body: { meta_title: 'Title' },
  }),
  'payment_methods.get': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
  }),
  'payment_methods.set': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
    body: { methods: [{ method: 'card', enabled: false }] },
  }),
  'files.list': async (shop, options) => ({ params: { id: (await aFile(shop, options)).id } }),
  'files.create': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
    body: A_FILE,
  }),
  'files.delete': async (shop, options) => ({ params: await aFile(shop, options) }),
  'stock_alerts.list': async (shop, options) => ({
    params: { id: (await anAlert(shop, options)).id },
  }),
  'stock_alerts.create': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
    body: { email: 'ada@example.com' },
  }),
  'stock_alerts.set_threshold': async (shop, options) => ({
    params: { id: (await aProduct(shop, options)).id },
    body: { stock_alert_threshold: 3 },
  }),
  'stock_alerts.delete': async (shop, options) => ({ params: await anAlert(shop, options) }),
  'stock.list_keys': async (shop, options) => {
    const { key_id: _, ...params } = await aKey(shop, options)
    return { params }
  },
  'stock.add_keys': async (shop, options) => {
    const { key_id: _, ...params } = await aKey(shop, options)
    return { params, body: { keys: ['WALK-AAAA-BBBB-0002'] } }
  },
  'stock.get': async (shop, options) => {
    const { key_id: _, ...params } = await aKey(shop, options)
    return { params }
  },
  'stock.update': async (shop, options) => {
    const { id, variantId } = await product(shop, { type: 'physical' }, options)
    return { params: { id, variant_id: variantId }, body: { quantity: 7 } }
  },
  'stock.export_keys': async (shop, options) => {
    const { key_id: _, ...params } = await aKey(shop, options)
    return { params }
  },
  'stock.update_key': async (shop, options) => ({
    params: await aKey(shop, options),
    body: { status: 'reserved' },
  }),
  'stock.delete_key': async (shop, options) => ({ params: await aKey(shop, options) }),
  'stock.delete_all_keys': async (shop, options) => {
    const { key_id: _, ...params } = await aKey(shop, options)
    return { params }
  },
  'shipping.list_zones': async (shop, options) => {
    await aZone(shop, options)
    return {}
  },
  'shipping.create_zone': async (shop, options) => {
    await clearShipping(shop, options)
    return {
      body: { name: 'World', countries: ['*'], rates: [{ name: 'Post', calc_type: 'flat' }] },
    }
  },
  'shipping.reorder_zones': async (shop, options) => ({
    body: { ids: [(await aZone(shop, options)).id] },
  }),
  'shipping.get_zone': async (shop, options) => ({
    params: { id: (await aZone(shop, options)).id },
  }),
  'shipping.update_zone': async (shop, options) => ({
    params: { id: (await aZone(shop, options)).id },
    body: { name: 'Near' },
  }),
  'shipping.delete_zone': async (shop, options) => ({
    params: { id: (await aZone(shop, options)).id },
  }),
  'shipping.quote': async (shop, options) => {
    await aZone(shop, options)
    const { id } = await product(shop, { name: 'Mug', type: 'physical' }, options)
    return { body: { country: 'DE', items: [{ product_id: id, quantity: 1 }] } }
  },
  'shipping.list_locations': async (shop, options) => {
    await aLocation(shop, options)
    return {}
  },
  'shipping.create_location': async (shop, options) => {
    await clearShipping(shop, options)
    return { body: LOCATION }
  },
  'shipping.get_location': async (shop, options) => ({
    params: { id: (await aLocation(shop, options)).id },
  }),
  'shipping.update_location': async (shop, options) => ({
    params: { id: (await aLocation(shop, options)).id },
    body: { city: 'Hamburg' },
  }),
  'shipping.delete_location': async (shop, options) => ({
    params: { id: (await aLocation(shop, options)).id },
  }),
  'webhooks.list': async (shop, options) => {
    await aWebhook(shop, options)
    return {}
  },
  'webhooks.create': async (shop, options) => {
    await retireWebhooks(shop, options)
    return { body: NEW_WEBHOOK }
  },
  'webhooks.get': async (shop, options) => ({ params: { id: await aWebhook(shop, options) } }),
  'webhooks.update': async (shop, options) => ({
    params: { id: await aWebhook(shop, options) },
    body: { description: 'Orders' },
  }),
  'webhooks.delete': async (shop, options) => ({ params: { id: await aWebhook(shop, options) } }),
  // Nobody listens there: the call works, and tells that the receiver does not.
  'webhooks.test': async (shop, options) => ({ params: { id: await aWebhook(shop, options) } }),
  'events.types': async () => ({}),
  'events.deliveries': async (shop, options) => {
    await aDelivery(shop, options)
    return {}
  },
  'events.get_delivery': async (shop, options) => ({
    params: { id: (await aDelivery(shop, options)).id },
  }),
  'events.resend': async (shop, options) => ({
    params: { id: (await aDelivery(shop, options)).id },
  }),
}

/** Names of endpoints without a walk, and of walks without an endpoint; both have to be empty. */
export function strays(): string[] {
  const served = new Set(storeEndpoints.map(({ id }) => id))
  return [
    ...[...served].filter((id) => !(id in walks)).map((id) => `${id} has no walk`),
    ...Object.keys(walks)
      .filter((id) => !served.has(id))
      .map((id) => `${id} is no endpoint`),
  ]
}

/** Prepares an endpoint's call; `options.as` says on which side. */
export function prepare(
  shop: Tradepost,
  e: Endpoint,
  { as = shop.live }: CallOptions = {},
): Promise<Ask> {
  const walk = walks[e.id]
  if (!walk) throw new Error(`${e.id} has no walk: add a call that works to test/contract/walk.ts.`)
  return walk(shop, { as })
}

export const pathOf = (e: Endpoint, { params = {}, query = {} }: Ask): string => {
  const path = e.path.replace(/:(\w+)/g, (_, name) => String(params[name] ?? `no-${name}`))
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}

export const send = (
  shop: Tradepost,
  e: Endpoint,
  ask: Ask,
  options: CallOptions = {},
): Promise<Answer> => shop.call(e.method, pathOf(e, ask), { body: ask.body, ...options })

/** An answer's bytes, but for the name of the request. */
export const bytesOf = ({ text }: Answer): string => text.replace(/req_\w{22}/g, 'req_')

/**
 * A fingerprint of every row, of one store or of all. Calls that have no effect leave it as it is.
 * Stored answers and keys are left out of a store's: they are the caller's.
 */
export async function rows(shop: Tradepost, storeHash?: string): Promise<Record<string, string>> {
  const named = await sql<{ name: string }>`
    select distinct c.table_name as name
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and (${storeHash ?? null}::text is null or c.column_name = 'store_id')
     order by 1`.execute(shop.db)
  const prints = named.rows.map(
    ({ name }) => sql`
      select ${sql.lit(name)} as name,
             count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as print
        from ${sql.table(name)} t
       ${storeHash === undefined ? sql`` : sql`where store_id = (select id from store where hash = ${storeHash})`}`,
  )
  const all = await sql<{ name: string; print: string }>`
    ${sql.join(prints, sql` union all `)} order by 1`.execute(shop.db)
  return Object.fromEntries(all.rows.map(({ name, print }) => [name, print]))
}

/** Every answer that is no success wears the envelope of the specification ("Errors"). */
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
