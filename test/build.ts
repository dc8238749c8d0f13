import type { CallOptions, Json, Tradepost } from './harness.ts'

// Creates records for tests through HTTP.

export interface CreatedProduct {
  id: string
  variantId: number
  product: Json
}

/** Creates a product, with these keys in stock. */
export async function product(
  tradepost: Tradepost,
  fields: Json = {},
  { keys = [], ...options }: CallOptions & { keys?: string[] } = {},
): Promise<CreatedProduct> {
  const { variants = [] } = fields
  const defaultVariant = variants.find((item: Json) => item.is_default) ?? variants[0]
  const price_cents = defaultVariant?.price_cents ?? 1000
  const { status, json } = await tradepost.post(
    '/products',
    { name: 'Game', price_cents, ...fields },
    options,
  )
  if (status !== 201) throw new Error(`No product: ${JSON.stringify(json)}`)
  const { id } = json.product
  const variantId = json.variants[0].id
  if (keys.length > 0) await addKeys(tradepost, { id, variantId }, keys, options)
  return { id, variantId, product: json }
}

export async function addKeys(
  tradepost: Tradepost,
  { id, variantId }: { id: string; variantId: number },
  keys: string[],
  options: CallOptions = {},
): Promise<void> {
  const { status, json } = await tradepost.post(
    `/products/${id}/variants/${variantId}/keys`,
    { keys },
    options,
  )
  if (status !== 201) throw new Error(`No keys: ${JSON.stringify(json)}`)
}

export const keysNamed = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}-${String(n + 1).padStart(6, '0')}`)

/** Returns the body of an order of one unit of a product. */
export const orderOf = (id: string, fields: Json = {}): Json => ({
  items: [{ product_id: id, quantity: 1 }],
  customer: { email: 'ada@example.com' },
  ...fields,
})

/** Creates an unpaid order of one unit. */
export async function order(
  tradepost: Tradepost,
  id: string,
  fields: Json = {},
  options: CallOptions = {},
) {
  const { status, json } = await tradepost.post('/orders', orderOf(id, fields), options)
  if (status !== 201) throw new Error(`No order: ${JSON.stringify(json)}`)
  return json.order as Json
}

/** Creates a coupon, by default of 10 % on everything. */
export async function coupon(
  tradepost: Tradepost,
  fields: Json = {},
  options: CallOptions = {},
): Promise<Json> {
  const discount = fields.type === 'fixed' ? {} : { type: 'percentage', discount_percent: 10 }
  const { status, json } = await tradepost.post('/coupons', { ...discount, ...fields }, options)
  if (status !== 201) throw new Error(`No coupon: ${JSON.stringify(json)}`)
  return json.coupon
}

/** Creates a shipping zone, by default Germany with one flat rate. */
export async function zone(
  tradepost: Tradepost,
  fields: Json = {},
  options: CallOptions = {},
): Promise<Json> {
  const rates = [{ name: 'Post', calc_type: 'flat', price_cents: 500 }]
  const body = { name: 'Germany', countries: ['DE'], rates, ...fields }
  const { status, json } = await tradepost.post('/shipping/zones', body, options)
  if (status !== 201) throw new Error(`No zone: ${JSON.stringify(json)}`)
  return json.zone
}
