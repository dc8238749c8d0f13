import type { CallOptions, Json, Tradepost } from './harness.ts'

/** Records that tests begin with, created through HTTP. */

export interface Stocked {
  id: string
  variantId: number
  product: Json
}

/** A product, with these keys in stock. */
export async function product(
  tradepost: Tradepost,
  fields: Json = {},
  { keys = [], ...options }: CallOptions & { keys?: string[] } = {},
): Promise<Stocked> {
  const { variants = [] } = fields
  const byDefault = variants.find((item: Json) => item.is_default) ?? variants[0]
  const price_cents = byDefault?.price_cents ?? 1000
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

/** The body of an order for one product. */
export const orderOf = (id: string, fields: Json = {}): Json => ({
  items: [{ product_id: id, quantity: 1 }],
  customer: { email: 'ada@example.com' },
  ...fields,
})

/** An unpaid order of one unit. */
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

/** A coupon of 10 % on everything by default. */
export async function coupon(
  tradepost: Tradepost,
  fields: Json = {},
  options: CallOptions = {},
): Promise<Json> {
  const value = fields.type === 'fixed' ? {} : { type: 'percentage', discount_percent: 10 }
  const { status, json } = await tradepost.post('/coupons', { ...value, ...fields }, options)
  if (status !== 201) throw new Error(`No coupon: ${JSON.stringify(json)}`)
  return json.coupon
}

/** A shipping zone, by default Germany with one flat rate. */
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
