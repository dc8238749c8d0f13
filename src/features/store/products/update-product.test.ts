import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const NULLABLE: [string, string, unknown][] = [
  ['product', 'max_qty', 5],
  ['product', 'sell_limit', 9],
  ['product', 'sku', 'THREE-STATE'],
  ['product', 'delivery_note', 'Keep it.'],
  ['product', 'stock_alert_threshold', 0],
  ['details', 'short_description', 'Short.'],
  ['details', 'description_html', '<p>Long.</p>'],
  ['details', 'youtube_url', 'https://www.youtube.com/watch?v=1'],
  ['details', 'delivered_message', 'Thanks.'],
  ['seo', 'meta_title', 'Title'],
  ['seo', 'meta_description', 'Summary'],
  ['seo', 'og_title', 'Shared'],
  ['seo', 'og_description', 'Shared summary'],
  ['seo', 'og_image_url', 'https://example.com/a.png'],
]

const asBody = (section: string, fields: Json) =>
  section === 'product' ? fields : { [section]: fields }

test.each(NULLABLE)(
  '%s.%s is kept when left out, cleared by null, and set by a value',
  async (section, field, value) => {
    const { id } = await product(tradepost)
    const path = `/products/${id}`
    const patch = async (fields: Json) =>
      (await tradepost.patch(path, asBody(section, fields))).json
    expect((await patch({ [field]: value }))[section][field]).toEqual(value)
    expect((await tradepost.patch(path, { name: 'New name' })).json[section][field]).toEqual(value)
    expect((await tradepost.patch(path, asBody(section, {}))).json[section][field]).toEqual(value)
    expect((await patch({ [field]: null }))[section][field]).toBeNull()
    const read = (await tradepost.get(path)).json
    expect(read[section]).toHaveProperty(field, null)
  },
)

test.each([
  'name',
  'slug',
  'type',
  'product_kind',
  'status',
  'active',
  'visibility',
  'price_cents',
  'discount_percent',
  'currency',
  'accepts_coupons',
  'min_qty',
  'requires_shipping',
  'best_seller',
  'metadata',
  'category_ids',
  'details',
  'seo',
  'methods',
])('%s cannot be null', async (field) => {
  const { id } = await product(tradepost)
  const { status, json } = await tradepost.patch(`/products/${id}`, { [field]: null })
  expect([status, json.details?.field]).toEqual([422, field])
})

test.each([
  'id',
  'object',
  'hash_id',
  'legacy_id',
  'sales_count',
  'categories',
  'created_at',
  'updated_at',
  'store_id',
  'variants',
  'media',
  'deleted_at',
])('%s is not the caller’s to change', async (field) => {
  const { id, product: made } = await product(tradepost)
  const { status, json } = await tradepost.patch(`/products/${id}`, { name: 'Changed', [field]: 1 })
  expect([status, json.details.field]).toEqual([422, field])
  expect((await tradepost.get(`/products/${id}`)).json).toEqual(made)
})

test('a patch of nothing changes nothing but the moment', async () => {
  const { id, product: made } = await product(tradepost)
  const { status, json } = await tradepost.patch(`/products/${id}`, {})
  expect(status).toBe(200)
  const { updated_at, ...rest } = json.product
  expect(made.product).toMatchObject(rest)
  expect(updated_at >= made.product.updated_at).toBe(true)
  expect(json.variants).toEqual(made.variants)
})

test('a changed price is the price of the default variant too, and of no other', async () => {
  const variants = [
    { name: 'A', price_cents: 100, is_default: true },
    { name: 'B', price_cents: 900 },
  ]
  const { id } = await product(tradepost, { price_cents: undefined, variants })
  await tradepost.events()
  const { json } = await tradepost.patch(`/products/${id}`, { price_cents: 250 })
  expect(json.product.price_cents).toBe(250)
  expect(json.variants.map((variant: Json) => variant.price_cents)).toEqual([250, 900])
  expect(await tradepost.events()).toEqual([])
})

test('methods that are not named keep their state; maps are replaced whole', async () => {
  const { id } = await product(tradepost, { metadata: { a: '1', b: '2' } })
  await tradepost.patch(`/products/${id}`, { methods: [{ method: 'balance', enabled: false }] })
  const { json } = await tradepost.patch(`/products/${id}`, {
    methods: [{ method: 'manual', enabled: false }],
    metadata: { c: '3' },
  })
  const off = json.methods.filter((item: Json) => !item.enabled).map((item: Json) => item.method)
  expect(off).toEqual(['manual', 'crypto', 'card', 'paypal', 'balance'])
  expect(json.product.metadata).toEqual({ c: '3' })
})

describe('a refusal changes nothing', () => {
  test.each([
    ['a max_qty below the min_qty it has', { max_qty: 1 }, 'max_qty'],
    ['a min_qty above the max_qty it has', { min_qty: 6 }, 'max_qty'],
    ['another currency', { currency: 'JPY' }, 'currency'],
    ['an unknown category', { name: 'Changed', category_ids: [999_999] }, 'category_ids[0]'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('%s', async (_, fields, field) => {
    const { id } = await product(tradepost, { min_qty: 2, max_qty: 5 })
    const before = (await tradepost.get(`/products/${id}`)).text
    const { status, json } = await tradepost.patch(`/products/${id}`, fields)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    expect((await tradepost.get(`/products/${id}`)).text).toBe(before)
  })

  test.each(['slug', 'sku'])('a %s that another product has', async (field) => {
    await product(tradepost, { [field]: `only-${field}` })
    const { id } = await product(tradepost)
    const { status, json } = await tradepost.patch(`/products/${id}`, { [field]: `only-${field}` })
    expect([status, json.details.field, json.details.reason]).toEqual([422, field, 'taken'])
  })

  test('its own slug and SKU are no conflict', async () => {
    const { id } = await product(tradepost, { slug: 'own-slug', sku: 'OWN' })
    const { status } = await tradepost.patch(`/products/${id}`, { slug: 'own-slug', sku: 'OWN' })
    expect(status).toBe(200)
  })

  test('a product of another store, or an unknown one', async () => {
    const { id } = await product(tradepost)
    const theirs = await tradepost.patch(
      `/products/${id}`,
      { name: 'Mine' },
      { as: tradepost.other },
    )
    const nobodys = await tradepost.patch('/products/zzzzzzzzzzzz', { name: 'Mine' })
    expect([theirs.status, nobodys.status]).toEqual([404, 404])
    const withoutId = ({ request_id: _, ...body }: Json, id: string) => ({
      ...body,
      error: body.error.replace(id, 'ID'),
    })
    expect(withoutId(theirs.json, id)).toEqual(withoutId(nobodys.json, 'zzzzzzzzzzzz'))
    expect((await tradepost.get(`/products/${id}`)).json.product.name).toBe('Game')
  })

  test('a key that may only read', async () => {
    const { id } = await product(tradepost)
    const as = await tradepost.key({ permissions: ['products:read'] })
    expect((await tradepost.patch(`/products/${id}`, { name: 'X' }, { as })).status).toBe(403)
    expect((await tradepost.get(`/products/${id}`, { as })).status).toBe(200)
  })
})

test('updated_at never falls, even when the clock of the machine jumps back', async () => {
  const { id, product: made } = await product(tradepost)
  tradepost.forward(-HOUR_MS)
  try {
    const { json } = await tradepost.patch(`/products/${id}`, { price_cents: 5 })
    expect(json.product.updated_at >= made.product.updated_at).toBe(true)
    expect(json.variants[0].updated_at >= made.product.updated_at).toBe(true)
  } finally {
    tradepost.forward(HOUR_MS)
  }
})

test('a product is counted under its new values, and no longer under the old ones', async () => {
  const total = async (status: string) =>
    (await tradepost.get(`/products?status=${status}`)).json.pagination.total
  const { id } = await product(tradepost)
  const [drafts, active] = [await total('draft'), await total('active')]
  await tradepost.patch(`/products/${id}`, { status: 'draft' })
  expect([await total('draft'), await total('active')]).toEqual([drafts + 1, active - 1])
})
