import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
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

const bodyOf = (section: string, fields: Json) =>
  section === 'product' ? fields : { [section]: fields }

test.each(NULLABLE)(
  '%s.%s is kept if omitted, cleared by null, and set by a value',
  async (section, field, value) => {
    const { id } = await product(tradepost)
    const path = `/products/${id}`
    const patch = async (fields: Json) =>
      (await tradepost.patch(path, bodyOf(section, fields))).json
    expect((await patch({ [field]: value }))[section][field]).toEqual(value)
    expect((await tradepost.patch(path, { name: 'New name' })).json[section][field]).toEqual(value)
    expect((await tradepost.patch(path, bodyOf(section, {}))).json[section][field]).toEqual(value)
    expect((await patch({ [field]: null }))[section][field]).toBeNull()
    const productAfter = (await tradepost.get(path)).json
    expect(productAfter[section]).toHaveProperty(field, null)
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
])('%s cannot be set by the caller', async (field) => {
  const { id, product: newProduct } = await product(tradepost)
  const { status, json } = await tradepost.patch(`/products/${id}`, { name: 'Changed', [field]: 1 })
  expect([status, json.details.field]).toEqual([422, field])
  expect((await tradepost.get(`/products/${id}`)).json).toEqual(newProduct)
})

test('an empty patch changes nothing', async () => {
  const { id, product: newProduct } = await product(tradepost)
  const { status, json } = await tradepost.patch(`/products/${id}`, {})
  expect(status).toBe(200)
  expect(json.product).toEqual(newProduct.product)
  expect(json.variants).toEqual(newProduct.variants)
})

test.each([
  ['details', { details: { short_description: 'New' } }],
  ['search texts', { seo: { meta_title: 'New' } }],
  ['categories', { category_ids: [] }],
])('a change of its %s changes updated_at', async (_, patch) => {
  const { category } = await expectSuccess(tradepost.post('/categories', { name: 'Games' }))
  const { id, product: newProduct } = await product(tradepost, { category_ids: [category.id] })
  tradepost.forward(60_000)
  const { json } = await tradepost.patch(`/products/${id}`, patch)
  expect(json.product.updated_at > newProduct.product.updated_at).toBe(true)
})

test('a changed price also changes the default variant, and no other', async () => {
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

test('payment methods that are not sent keep their setting, and metadata is replaced as a whole', async () => {
  const { id } = await product(tradepost, { metadata: { a: '1', b: '2' } })
  await expectSuccess(
    tradepost.patch(`/products/${id}`, { methods: [{ method: 'balance', enabled: false }] }),
  )
  const { json } = await tradepost.patch(`/products/${id}`, {
    methods: [{ method: 'manual', enabled: false }],
    metadata: { c: '3' },
  })
  const disabledMethods = json.methods
    .filter((item: Json) => !item.enabled)
    .map((item: Json) => item.method)
  expect(disabledMethods).toEqual(['manual', 'crypto', 'card', 'paypal', 'balance'])
  expect(json.product.metadata).toEqual({ c: '3' })
})

describe('a change of a product is refused and changes nothing', () => {
  test.each([
    ['a max_qty below its present min_qty', { max_qty: 1 }, 'max_qty'],
    ['a min_qty above its present max_qty', { min_qty: 6 }, 'max_qty'],
    ['another currency', { currency: 'JPY' }, 'currency'],
    ['an unknown category', { name: 'Changed', category_ids: [999_999] }, 'category_ids[0]'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('for %s', async (_, fields, field) => {
    const { id } = await product(tradepost, { min_qty: 2, max_qty: 5 })
    const before = (await tradepost.get(`/products/${id}`)).text
    const { status, json } = await tradepost.patch(`/products/${id}`, fields)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    expect((await tradepost.get(`/products/${id}`)).text).toBe(before)
  })

  test.each(['slug', 'sku'])('for a %s that another product has', async (field) => {
    await product(tradepost, { [field]: `only-${field}` })
    const { id } = await product(tradepost)
    const { status, json } = await tradepost.patch(`/products/${id}`, { [field]: `only-${field}` })
    expect([status, json.details.field, json.details.reason]).toEqual([422, field, 'taken'])
  })

  test('for a product of another store, with the same answer as for an unknown one', async () => {
    const { id } = await product(tradepost)
    const ofOtherStore = await tradepost.patch(
      `/products/${id}`,
      { name: 'Mine' },
      { as: tradepost.other },
    )
    const ofUnknownProduct = await tradepost.patch('/products/zzzzzzzzzzzz', { name: 'Mine' })
    expect([ofOtherStore.status, ofUnknownProduct.status]).toEqual([404, 404])
    const withoutId = ({ request_id: _, ...body }: Json, id: string) => ({
      ...body,
      error: body.error.replace(id, 'ID'),
    })
    expect(withoutId(ofOtherStore.json, id)).toEqual(
      withoutId(ofUnknownProduct.json, 'zzzzzzzzzzzz'),
    )
    expect((await tradepost.get(`/products/${id}`)).json.product.name).toBe('Game')
  })

  test('for a key with only products:read', async () => {
    const { id } = await product(tradepost)
    const as = await tradepost.key({ permissions: ['products:read'] })
    expect((await tradepost.patch(`/products/${id}`, { name: 'X' }, { as })).status).toBe(403)
    expect((await tradepost.get(`/products/${id}`, { as })).status).toBe(200)
  })
})

test('a change may repeat the present slug and SKU of the product', async () => {
  const { id } = await product(tradepost, { slug: 'own-slug', sku: 'OWN' })
  const { status } = await tradepost.patch(`/products/${id}`, { slug: 'own-slug', sku: 'OWN' })
  expect(status).toBe(200)
})

test('updated_at never decreases, even if the clock of the machine jumps back', async () => {
  const { id, product: newProduct } = await product(tradepost)
  tradepost.forward(-HOUR_MS)
  try {
    const { json } = await tradepost.patch(`/products/${id}`, { price_cents: 5 })
    expect(json.product.updated_at >= newProduct.product.updated_at).toBe(true)
    expect(json.variants[0].updated_at >= newProduct.product.updated_at).toBe(true)
  } finally {
    tradepost.forward(HOUR_MS)
  }
})

test('lists count a product under its new status, and no longer under the former one', async () => {
  const total = async (status: string) =>
    (await tradepost.get(`/products?status=${status}`)).json.pagination.total
  const { id } = await product(tradepost)
  const [draftsBefore, activeBefore] = [await total('draft'), await total('active')]
  await expectSuccess(tradepost.patch(`/products/${id}`, { status: 'draft' }))
  expect([await total('draft'), await total('active')]).toEqual([
    draftsBefore + 1,
    activeBefore - 1,
  ])
})
