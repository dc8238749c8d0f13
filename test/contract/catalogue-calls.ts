import { product } from '../build.ts'
import type { CallOptions, Json, Tradepost } from '../harness.ts'
import type { Prepare } from './call-input.ts'

/** The fields of a product with unlimited stock. */
const SERVICE = { name: 'Advice', type: 'service', price_cents: 1000 }

export const createServiceProduct = (tradepost: Tradepost, options: CallOptions) =>
  product(tradepost, SERVICE, options)

async function createStockKey(tradepost: Tradepost, options: CallOptions) {
  const { id, variantId } = await product(
    tradepost,
    {},
    { keys: ['WALK-AAAA-BBBB-0001'], ...options },
  )
  const { json } = await tradepost.get(`/products/${id}/variants/${variantId}/keys`, options)
  return { id, variant_id: variantId, key_id: json.keys[0].id }
}

async function createVariantWithKey(tradepost: Tradepost, options: CallOptions) {
  const { id, variant_id } = await createStockKey(tradepost, options)
  return { id, variant_id }
}

async function createProductWithTwoVariants(tradepost: Tradepost, options: CallOptions) {
  const variants = [{ name: 'One' }, { name: 'Two' }]
  const { id, product: newProduct } = await product(tradepost, { ...SERVICE, variants }, options)
  return { id, ids: newProduct.variants.map((variant: Json) => variant.id) as number[] }
}

/** The product has another variant, because the last variant cannot be deleted. */
async function createDeletableVariant(tradepost: Tradepost, options: CallOptions) {
  const { id, ids } = await createProductWithTwoVariants(tradepost, options)
  return { id, variant_id: ids[0] ?? 0 }
}

const VIDEO = { url: 'https://videos.example.com/tour.mp4', kind: 'video' }
const FILE = { name: 'notes.txt', content_base64: 'SGVsbG8h', mime_type: 'text/plain' }

export async function createVideo(tradepost: Tradepost, options: CallOptions) {
  const { id } = await createServiceProduct(tradepost, options)
  const { json } = await tradepost.post(`/products/${id}/media`, VIDEO, options)
  return { id, media_id: json.media.id as number }
}

export async function createFile(tradepost: Tradepost, options: CallOptions) {
  const { id } = await createServiceProduct(tradepost, options)
  const { json } = await tradepost.post(`/products/${id}/files`, FILE, options)
  return { id, file_id: json.file.id as number }
}

export async function createStockAlert(tradepost: Tradepost, options: CallOptions) {
  const { id } = await createServiceProduct(tradepost, options)
  const { json } = await tradepost.post(
    `/products/${id}/stock-alerts`,
    { email: 'ada@example.com' },
    options,
  )
  return { id, alert_id: json.stock_alert.id as number }
}

const prepareDynamicVariant: Prepare = async (tradepost, options) => {
  const { id, variantId } = await product(tradepost, { type: 'dynamic' }, options)
  return { params: { id, variant_id: variantId } }
}

/** Prepared calls of the endpoints of products, content and stock. */
export const catalogueCalls: Record<string, Prepare> = {
  'products.list': async (tradepost, options) => {
    await createServiceProduct(tradepost, options)
    return { query: { include: 'details,seo,methods,media,variants' } }
  },
  'products.create': async () => ({ body: { name: 'Photo editor', price_cents: 1999 } }),
  'products.get': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
  }),
  'products.update': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
    body: { price_cents: 1499 },
  }),
  'products.delete': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
  }),
  'products.duplicate': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
  }),
  'variants.list': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
  }),
  'variants.create': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
    body: { name: 'Family' },
  }),
  'variants.order': async (tradepost, options) => {
    const { id, ids } = await createProductWithTwoVariants(tradepost, options)
    return { params: { id }, body: { ids: ids.reverse() } }
  },
  'variants.get': async (tradepost, options) => ({
    params: await createDeletableVariant(tradepost, options),
  }),
  'variants.update': async (tradepost, options) => ({
    params: await createDeletableVariant(tradepost, options),
    body: { price_cents: 1499 },
  }),
  'variants.delete': async (tradepost, options) => ({
    params: await createDeletableVariant(tradepost, options),
  }),
  'variants.get_dimensions': async (tradepost, options) => ({
    params: await createDeletableVariant(tradepost, options),
  }),
  'variants.get_dynamic': prepareDynamicVariant,
  'variants.set_dynamic': async (tradepost, options) => ({
    ...(await prepareDynamicVariant(tradepost, options)),
    body: { url: 'http://127.0.0.1:4199/texts' },
  }),
  'variants.set_dimensions': async (tradepost, options) => ({
    params: await createDeletableVariant(tradepost, options),
    body: { length_cm: 30, width_cm: 20, height_cm: 5.5 },
  }),
  'media.list': async (tradepost, options) => ({
    params: { id: (await createVideo(tradepost, options)).id },
  }),
  'media.create': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
    body: VIDEO,
  }),
  'media.order': async (tradepost, options) => {
    const { id, media_id } = await createVideo(tradepost, options)
    const { json } = await tradepost.post(`/products/${id}/media`, VIDEO, options)
    return { params: { id }, body: { ids: [json.media.id, media_id] } }
  },
  'media.update': async (tradepost, options) => ({
    params: await createVideo(tradepost, options),
    body: { meta: { alt: 'A mug' } },
  }),
  'media.delete': async (tradepost, options) => ({ params: await createVideo(tradepost, options) }),
  'details.get': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
  }),
  'details.update': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
    body: { short_description: 'Short.' },
  }),
  'seo.get': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
  }),
  'seo.update': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
    body: { meta_title: 'Title' },
  }),
  'payment_methods.get': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
  }),
  'payment_methods.set': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
    body: { methods: [{ method: 'manual', enabled: false }] },
  }),
  'files.list': async (tradepost, options) => ({
    params: { id: (await createFile(tradepost, options)).id },
  }),
  'files.create': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
    body: FILE,
  }),
  'files.delete': async (tradepost, options) => ({ params: await createFile(tradepost, options) }),
  'stock_alerts.list': async (tradepost, options) => ({
    params: { id: (await createStockAlert(tradepost, options)).id },
  }),
  'stock_alerts.create': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
    body: { email: 'ada@example.com' },
  }),
  'stock_alerts.set_threshold': async (tradepost, options) => ({
    params: { id: (await createServiceProduct(tradepost, options)).id },
    body: { stock_alert_threshold: 3 },
  }),
  'stock_alerts.delete': async (tradepost, options) => ({
    params: await createStockAlert(tradepost, options),
  }),
  'stock.list_keys': async (tradepost, options) => ({
    params: await createVariantWithKey(tradepost, options),
  }),
  'stock.add_keys': async (tradepost, options) => ({
    params: await createVariantWithKey(tradepost, options),
    body: { keys: ['WALK-AAAA-BBBB-0002'] },
  }),
  'stock.undo_import': async (tradepost, options) => {
    const params = await createVariantWithKey(tradepost, options)
    const import_id = 'prepared-import-1'
    const path = `/products/${params.id}/variants/${params.variant_id}/keys`
    await tradepost.post(path, { keys: ['WALK-AAAA-BBBB-0003'], import_id }, options)
    return { params: { ...params, import_id } }
  },
  'stock.get': async (tradepost, options) => ({
    params: await createVariantWithKey(tradepost, options),
  }),
  'stock.update': async (tradepost, options) => {
    const { id, variantId } = await product(tradepost, { type: 'physical' }, options)
    return { params: { id, variant_id: variantId }, body: { quantity: 7 } }
  },
  'stock.export_keys': async (tradepost, options) => ({
    params: await createVariantWithKey(tradepost, options),
  }),
  'stock.update_key': async (tradepost, options) => ({
    params: await createStockKey(tradepost, options),
    body: { status: 'reserved' },
  }),
  'stock.delete_key': async (tradepost, options) => ({
    params: await createStockKey(tradepost, options),
  }),
  'stock.delete_all_keys': async (tradepost, options) => ({
    params: await createVariantWithKey(tradepost, options),
  }),
}
