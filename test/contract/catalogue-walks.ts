import { product } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { Prepare } from './ask.ts'

/** Sold without stock, so that orders of it never run out. */
const SERVICE = { name: 'Advice', type: 'service', price_cents: 1000 }

export const aProduct = (shop: Tradepost, options: CallOptions) => product(shop, SERVICE, options)

async function aKey(shop: Tradepost, options: CallOptions) {
  const { id, variantId } = await product(shop, {}, { keys: ['WALK-AAAA-BBBB-0001'], ...options })
  const { json } = await shop.get(`/products/${id}/variants/${variantId}/keys`, options)
  return { id, variant_id: variantId, key_id: json.keys[0].id }
}

async function twoVariants(shop: Tradepost, options: CallOptions) {
  const variants = [{ name: 'One' }, { name: 'Two' }]
  const { id, product: made } = await product(shop, { ...SERVICE, variants }, options)
  return { id, ids: made.variants.map((variant: Json) => variant.id) as number[] }
}

/** One of two, so that it can be deleted. */
async function aVariant(shop: Tradepost, options: CallOptions) {
  const { id, ids } = await twoVariants(shop, options)
  return { id, variant_id: ids[0] ?? 0 }
}

const A_VIDEO = { url: 'https://videos.example.com/walk.mp4', kind: 'video' }
const A_FILE = { name: 'walk.txt', content_base64: 'SGVsbG8h', mime_type: 'text/plain' }

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

/** A call that works for each endpoint of products, their content and their stock. */
export const catalogueWalks: Record<string, Prepare> = {
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
}
