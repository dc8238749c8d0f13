import { sql } from 'kysely'
import { order, product, zone } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'

// Records that a walk needs before it can call an endpoint.

/** What to call an endpoint with. */
export interface Ask {
  /** Values of the path's parameters. */
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: Json
}

/** Sold without stock, so that orders of it never run out. */
export const SERVICE = { name: 'Advice', type: 'service', price_cents: 1000 }

export const aProduct = (shop: Tradepost, options: CallOptions) => product(shop, SERVICE, options)

export async function anOrder(shop: Tradepost, options: CallOptions): Promise<Json> {
  const { id } = await aProduct(shop, options)
  return order(shop, id, {}, options)
}

export async function aReview(shop: Tradepost, options: CallOptions): Promise<Ask> {
  const { id } = await anOrder(shop, options)
  const { json } = await shop.post(
    `/orders/${id}/manual-payments`,
    { status: 'pending_review' },
    options,
  )
  return { params: { id, payment_id: json.payment.id }, body: { note: 'Seen.' } }
}

export async function aKey(shop: Tradepost, options: CallOptions) {
  const { id, variantId } = await product(shop, {}, { keys: ['WALK-AAAA-BBBB-0001'], ...options })
  const { json } = await shop.get(`/products/${id}/variants/${variantId}/keys`, options)
  return { id, variant_id: variantId, key_id: json.keys[0].id }
}

export const LOCATION = { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' }

/** A store has at most 250 zones and 100 locations: those of earlier walks make room. */
export async function clearShipping(shop: Tradepost, { as = shop.live }: CallOptions) {
  await sql`
    delete from shipping_zone z using store s where s.id = z.store_id and s.hash = ${as.id}`.execute(
    shop.db,
  )
  await sql`
    delete from location l using store s where s.id = l.store_id and s.hash = ${as.id}`.execute(
    shop.db,
  )
}

export async function aZone(shop: Tradepost, options: CallOptions): Promise<Json> {
  await clearShipping(shop, options)
  return zone(shop, {}, options)
}

export async function aLocation(shop: Tradepost, options: CallOptions): Promise<Json> {
  await clearShipping(shop, options)
  const { status, json } = await shop.post('/shipping/locations', LOCATION, options)
  if (status !== 201) throw new Error(`No location: ${JSON.stringify(json)}`)
  return json.location
}

export async function twoVariants(shop: Tradepost, options: CallOptions) {
  const variants = [{ name: 'One' }, { name: 'Two' }]
  const { id, product: made } = await product(shop, { ...SERVICE, variants }, options)
  return { id, ids: made.variants.map((variant: Json) => variant.id) as number[] }
}

/** One of two, so that it can be deleted. */
export async function aVariant(shop: Tradepost, options: CallOptions) {
  const { id, ids } = await twoVariants(shop, options)
  return { id, variant_id: ids[0] ?? 0 }
}

export const A_VIDEO = { url: 'https://videos.example.com/walk.mp4', kind: 'video' }
export const A_FILE = { name: 'walk.txt', content_base64: 'SGVsbG8h', mime_type: 'text/plain' }

export async function aPicture(shop: Tradepost, options: CallOptions) {
  const { id } = await aProduct(shop, options)
  const { json } = await shop.post(`/products/${id}/media`, A_VIDEO, options)
  return { id, media_id: json.media.id as number }
}

export async function aFile(shop: Tradepost, options: CallOptions) {
  const { id } = await aProduct(shop, options)
  const { json } = await shop.post(`/products/${id}/files`, A_FILE, options)
  return { id, file_id: json.file.id as number }
}

export async function anAlert(shop: Tradepost, options: CallOptions) {
  const { id } = await aProduct(shop, options)
  const { json } = await shop.post(
    `/products/${id}/stock-alerts`,
    { email: 'ada@example.com' },
    options,
  )
  return { id, alert_id: json.stock_alert.id as number }
}

export const NEW_WEBHOOK = { url: 'http://127.0.0.1:4199/hooks', events: ['*'] }

/** A store has at most 20 endpoints: those of earlier walks make room. */
export async function retireWebhooks(shop: Tradepost, { as = shop.live }: CallOptions) {
  await sql`
    update webhook_endpoint w set deleted_at = w.created_at, enabled = false
      from store s where s.id = w.store_id and s.hash = ${as.id}`.execute(shop.db)
}

export async function aWebhook(shop: Tradepost, options: CallOptions): Promise<string> {
  await retireWebhooks(shop, options)
  const { status, json } = await shop.post('/webhooks', NEW_WEBHOOK, options)
  if (status !== 201) throw new Error(`No webhook: ${JSON.stringify(json)}`)
  return json.webhook.id
}

export async function aDelivery(shop: Tradepost, options: CallOptions): Promise<Json> {
  await aWebhook(shop, options)
  await anOrder(shop, options)
  const { json } = await shop.get('/events/deliveries', options)
  return json.deliveries[0]
}
