import { product } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { Prepare } from './ask.ts'

/** A product with unlimited stock. */
const SERVICE = { name: 'Advice', type: 'service', price_cents: 1000 }

export const aProduct = (tradepost: Tradepost, options: CallOptions) =>
  product(tradepost, SERVICE, options)

async function aKey(tradepost: Tradepost, options: CallOptions) {
  const { id, variantId } = await product(
    tradepost,
    {},
    { keys: ['WALK-AAAA-BBBB-0001'], ...options },
  )
  const { json } = await tradepost.get(`/products/${id}/variants/${variantId}/keys`, options)
  return { id, variant_id: variantId, key_id: json.keys[0].id }
}

async function twoVariants(tradepost: Tradepost, options: CallOptions) {
  const variants = [{ name: 'One' }, { name: 'Two' }]
  const { id, product: made } = await product(tradepost, { ...SERVICE, variants }, options)
  return { id, ids: made.variants.map((variant: Json) => variant.id) as number[] }
}

/** A variant next to another one, so that it can be deleted. */
async function aVariant(tradepost: Tradepost, options: CallOptions) {
  const { id, ids } = await twoVariants(tradepost, options)
  return { id, variant_id: ids[0] ?? 0 }
}

const A_VIDEO = { url: 'https://videos.example.com/walk.mp4', kind: 'video' }
const A_FILE = { name: 'walk.txt', content_base64: 'SGVsbG8h', mime_type: 'text/plain' }

export async function aPicture(tradepost: Tradepost, options: CallOptions) {
  const { id } = await aProduct(tradepost, options)
  const { json } = await tradepost.post(`/products/${id}/media`, A_VIDEO, options)
  return { id, media_id: json.media.id as number }
}

export async function aFile(tradepost: Tradepost, options: CallOptions) {
  const { id } = await aProduct(tradepost, options)
  const { json } = await tradepost.post(`/products/${id}/files`, A_FILE, options)
  return { id, file_id: json.file.id as number }
}

export async function anAlert(tradepost: Tradepost, options: CallOptions) {
  const { id } = await aProduct(tradepost, options)
  const { json } = await tradepost.post(
    `/products/${id}/stock-alerts`,
    { email: 'ada@example.com' },
    options,
  )
  return { id, alert_id: json.stock_alert.id as number }
}

/** A successful call for each endpoint of products, content and stock. */
const aDynamicVariant: Prepare = async (tradepost, options) => {
  const { id, variantId } = await product(tradepost, { type: 'dynamic' }, options)
  return { params: { id, variant_id: variantId } }
}

export const catalogueWalks: Record<string, Prepare> = {
  'products.list': async (tradepost, options) => {
    await aProduct(tradepost, options)
    return { query: { include: 'details,seo,methods,media,variants' } }
  },
  'products.create': async () => ({ body: { name: 'Photo editor', price_cents: 1999 } }),
  'products.get': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
  }),
  'products.update': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
    body: { price_cents: 1499 },
  }),
  'products.delete': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
  }),
  'products.duplicate': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
  }),
  'variants.list': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
  }),
  'variants.create': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
    body: { name: 'Family' },
  }),
  'variants.order': async (tradepost, options) => {
    const { id, ids } = await twoVariants(tradepost, options)
    return { params: { id }, body: { ids: ids.reverse() } }
  },
  'variants.get': async (tradepost, options) => ({ params: await aVariant(tradepost, options) }),
  'variants.update': async (tradepost, options) => ({
    params: await aVariant(tradepost, options),
    body: { price_cents: 1499 },
  }),
  'variants.delete': async (tradepost, options) => ({ params: await aVariant(tradepost, options) }),
  'variants.get_dimensions': async (tradepost, options) => ({
    params: await aVariant(tradepost, options),
  }),
  'variants.get_dynamic': aDynamicVariant,
  'variants.set_dynamic': async (tradepost, options) => ({
    ...(await aDynamicVariant(tradepost, options)),
    body: { url: 'http://127.0.0.1:4199/texts' },
  }),
  'variants.set_dimensions': async (tradepost, options) => ({
    params: await aVariant(tradepost, options),
    body: { length_cm: 30, width_cm: 20, height_cm: 5.5 },
  }),
  'media.list': async (tradepost, options) => ({
    params: { id: (await aPicture(tradepost, options)).id },
  }),
  'media.create': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
    body: A_VIDEO,
  }),
  'media.order': async (tradepost, options) => {
    const { id, media_id } = await aPicture(tradepost, options)
    const { json } = await tradepost.post(`/products/${id}/media`, A_VIDEO, options)
    return { params: { id }, body: { ids: [json.media.id, media_id] } }
  },
  'media.update': async (tradepost, options) => ({
    params: await aPicture(tradepost, options),
    body: { meta: { alt: 'A walk' } },
  }),
  'media.delete': async (tradepost, options) => ({ params: await aPicture(tradepost, options) }),
  'details.get': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
  }),
  'details.update': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
    body: { short_description: 'Short.' },
  }),
  'seo.get': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
  }),
  'seo.update': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
    body: { meta_title: 'Title' },
  }),
  'payment_methods.get': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
  }),
  'payment_methods.set': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
    body: { methods: [{ method: 'card', enabled: false }] },
  }),
  'files.list': async (tradepost, options) => ({
    params: { id: (await aFile(tradepost, options)).id },
  }),
  'files.create': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
    body: A_FILE,
  }),
  'files.delete': async (tradepost, options) => ({ params: await aFile(tradepost, options) }),
  'stock_alerts.list': async (tradepost, options) => ({
    params: { id: (await anAlert(tradepost, options)).id },
  }),
  'stock_alerts.create': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
    body: { email: 'ada@example.com' },
  }),
  'stock_alerts.set_threshold': async (tradepost, options) => ({
    params: { id: (await aProduct(tradepost, options)).id },
    body: { stock_alert_threshold: 3 },
  }),
  'stock_alerts.delete': async (tradepost, options) => ({
    params: await anAlert(tradepost, options),
  }),
  'stock.list_keys': async (tradepost, options) => {
    const { key_id: _, ...params } = await aKey(tradepost, options)
    return { params }
  },
  'stock.add_keys': async (tradepost, options) => {
    const { key_id: _, ...params } = await aKey(tradepost, options)
    return { params, body: { keys: ['WALK-AAAA-BBBB-0002'] } }
  },
  'stock.undo_import': async (tradepost, options) => {
    const { key_id: _, ...params } = await aKey(tradepost, options)
    const import_id = 'walk-import-1'
    const path = `/products/${params.id}/variants/${params.variant_id}/keys`
    await tradepost.post(path, { keys: ['WALK-AAAA-BBBB-0003'], import_id }, options)
    return { params: { ...params, import_id } }
  },
  'stock.get': async (tradepost, options) => {
    const { key_id: _, ...params } = await aKey(tradepost, options)
    return { params }
  },
  'stock.update': async (tradepost, options) => {
    const { id, variantId } = await product(tradepost, { type: 'physical' }, options)
    return { params: { id, variant_id: variantId }, body: { quantity: 7 } }
  },
  'stock.export_keys': async (tradepost, options) => {
    const { key_id: _, ...params } = await aKey(tradepost, options)
    return { params }
  },
  'stock.update_key': async (tradepost, options) => ({
    params: await aKey(tradepost, options),
    body: { status: 'reserved' },
  }),
  'stock.delete_key': async (tradepost, options) => ({ params: await aKey(tradepost, options) }),
  'stock.delete_all_keys': async (tradepost, options) => {
    const { key_id: _, ...params } = await aKey(tradepost, options)
    return { params }
  },
}
