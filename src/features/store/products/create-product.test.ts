import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const create = (fields: Json, options = {}) =>
  tradepost.post('/products', { name: 'Game', price_cents: 1000, ...fields }, options)

async function createCategory(name: string, side = tradepost.live): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into category (store_id, name, slug, visibility, position, created_at, updated_at)
    select id, ${name}, ${name.toLowerCase()}, 'public', 0, now(), now() from store where hash = ${side.id}
    returning id`.execute(tradepost.db)
  return rows[0]?.id ?? 0
}

describe('a product with only a name and a price', () => {
  test('has every field of the specification, with its default or null, and emits no event', async () => {
    await tradepost.events()
    const { status, json } = await tradepost.post('/products', {
      name: 'Photo editor',
      price_cents: 1999,
    })
    expect(status).toBe(201)
    const { id, legacy_id, created_at } = json.product
    expect(json).toEqual({
      success: true,
      product: {
        id: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
        object: 'product',
        hash_id: id,
        legacy_id: expect.any(Number),
        name: 'Photo editor',
        slug: 'photo-editor',
        type: 'serial',
        product_kind: 'single',
        status: 'active',
        active: true,
        visibility: 'public',
        price_cents: 1999,
        discount_percent: 0,
        currency: 'EUR',
        accepts_coupons: true,
        min_qty: 1,
        max_qty: null,
        sell_limit: null,
        requires_shipping: false,
        sku: null,
        delivery_note: null,
        best_seller: false,
        metadata: {},
        stock_alert_threshold: null,
        sales_count: 0,
        categories: [],
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: created_at,
      },
      details: {
        short_description: null,
        description_html: null,
        youtube_url: null,
        delivered_message: null,
        highlights: {},
      },
      seo: {
        meta_title: null,
        meta_description: null,
        og_title: null,
        og_description: null,
        og_image_url: null,
      },
      methods: ['manual', 'crypto', 'card', 'paypal', 'balance'].map((method) => ({
        method,
        enabled: method === 'manual' || method === 'balance',
      })),
      media: [],
      variants: [
        {
          id: expect.any(Number),
          object: 'variant',
          product_id: id,
          name: 'Default',
          slug: 'default',
          delivery_type: 'serial',
          price_cents: 1999,
          discount_percent: 0,
          compare_at_cents: null,
          is_default: true,
          active: true,
          sort_order: 0,
          image_url: null,
          stock_mode: 'calculated',
          stock_quantity: 0,
          sku: null,
          barcode: null,
          weight_grams: null,
          track_inventory: true,
          allow_backorder: false,
          low_stock_threshold: null,
          option_values: [],
          created_at,
          updated_at: created_at,
        },
      ],
    })
    expect(legacy_id).toBeGreaterThan(0)
    expect(await tradepost.events()).toEqual([])
  })

  test('has the same answer for its hash and for its numeric id', async () => {
    const { id, product: newProduct } = await product(tradepost)
    const byHash = await tradepost.get(`/products/${id}`)
    const byNumber = await tradepost.get(`/products/${newProduct.product.legacy_id}`)
    expect(byHash.json).toEqual(newProduct)
    expect(byNumber.text).toBe(byHash.text)
  })

  test('answers 404 to another store and to the other side, as an unknown id does', async () => {
    const { id, product: newProduct } = await product(tradepost)
    for (const productId of [id, newProduct.product.legacy_id]) {
      for (const as of [tradepost.other, tradepost.test]) {
        expect((await tradepost.get(`/products/${productId}`, { as })).status).toBe(404)
      }
    }
    for (const productId of ['000000000000', 'a', '-1', '1e3', '99999999999999999999', '0']) {
      const { status, json } = await tradepost.get(`/products/${productId}`)
      expect([status, json.code], productId).toEqual([404, 'NOT_FOUND'])
    }
  })
})

test('all sections of a new product are stored as they were sent', async () => {
  const categoryId = await createCategory('Tools')
  const sections = {
    details: {
      short_description: 'Edits photos.',
      description_html: '<p>It <b>edits</b> photos.</p>',
      youtube_url: 'https://www.youtube.com/watch?v=1',
      delivered_message: 'Thank you.\nHave fun.',
      highlights: { Platform: 'Linux', Size: '5 MB' },
    },
    seo: {
      meta_title: 'Editor',
      meta_description: 'A photo editor.',
      og_title: 'Editor!',
      og_description: 'Look.',
      og_image_url: 'https://example.com/a.png',
    },
  }
  const fields = {
    type: 'file',
    status: 'draft',
    active: false,
    visibility: 'private',
    discount_percent: 12.5,
    accepts_coupons: false,
    min_qty: 2,
    max_qty: 9,
    sell_limit: 20,
    sku: 'EDIT-1',
    delivery_note: 'Keep it.',
    best_seller: true,
    metadata: { origin: 'import' },
    stock_alert_threshold: 3,
    slug: 'my-editor',
  }
  const { status, json } = await create({
    ...fields,
    ...sections,
    category_ids: [categoryId],
    methods: [{ method: 'crypto', enabled: true }],
  })
  expect(status).toBe(201)
  expect(json).toMatchObject({ product: fields, ...sections })
  expect(json.product.categories).toEqual([{ id: categoryId, name: 'Tools', icon: null }])
  expect(json.methods).toContainEqual({ method: 'crypto', enabled: true })
  expect(json.methods).toContainEqual({ method: 'card', enabled: false })
  expect((await tradepost.get(`/products/${json.product.id}`)).json).toEqual(json)
})

test('`test` is a payment method on the test side, and not on the live side', async () => {
  const creation = await create({}, { as: tradepost.test })
  expect(creation.json.methods.map((item: Json) => item.method)).toContain('test')
  const methods = [{ method: 'test', enabled: true }]
  const refusal = await create({ methods })
  expect([refusal.status, refusal.json.details.field]).toEqual([422, 'methods[0].method'])
})

describe('variants', () => {
  test('are created with the product, and the price of the default variant is the price of the product', async () => {
    const { json } = await create({
      price_cents: undefined,
      variants: [
        { name: 'Monthly', price_cents: 500 },
        { name: 'Yearly', price_cents: 5000, is_default: true, option_values: ['12 months'] },
        { name: 'Box', delivery_type: 'physical', stock_quantity: 7, weight_grams: 300 },
      ],
    })
    expect(json.product.price_cents).toBe(5000)
    expect(json.variants).toMatchObject([
      { name: 'Monthly', price_cents: 500, is_default: false, stock_quantity: 0 },
      { name: 'Yearly', price_cents: 5000, is_default: true, option_values: ['12 months'] },
      { name: 'Box', price_cents: 5000, stock_mode: 'manual', stock_quantity: 7 },
    ])
  })

  test('have a SKU that is unique in their store, and the refusal names the variant of a used one', async () => {
    await create({ variants: [{ name: 'A', sku: 'V-1' }] })
    const duplicate = await create({
      variants: [
        { name: 'A', sku: 'V-2' },
        { name: 'B', sku: 'V-1' },
      ],
    })
    expect([duplicate.status, duplicate.json.details]).toMatchObject([
      422,
      { field: 'variants[1].sku', reason: 'taken' },
    ])
    const withTwins = await create({
      variants: [
        { name: 'A', sku: 'V-3' },
        { name: 'B', sku: 'V-3' },
      ],
    })
    expect(withTwins.json.details).toMatchObject({ field: 'variants[1].sku', reason: 'taken' })
    const inOtherStore = await create(
      { variants: [{ name: 'A', sku: 'V-1' }] },
      { as: tradepost.other },
    )
    expect(inOtherStore.status).toBe(201)
  })
})

describe('slugs', () => {
  test('are made from the name, with a suffix if another product has the slug', async () => {
    const names = ['Über  Spiel!', 'uber spiel', '★', '★']
    const slugs: string[] = []
    for (const name of names) slugs.push((await create({ name })).json.product.slug)
    expect(slugs).toEqual([
      'uber-spiel',
      expect.stringMatching(/^uber-spiel-[a-z0-9]+$/),
      'product',
      expect.stringMatching(/^product-[a-z0-9]+$/),
    ])
  })

  test('have Latin letters for a name in any script', async () => {
    const names = ['Привет мир', '商品', 'Ελλάδα', '한국어', 'Łódź', 'iPhone手机 2', 'Привет мир']
    const slugs: string[] = []
    for (const name of names) slugs.push((await create({ name })).json.product.slug)
    expect(slugs).toEqual([
      'privet-mir',
      'shang-pin',
      'ellada',
      'hangugeo',
      'lodz',
      'iphone-shou-ji-2',
      expect.stringMatching(/^privet-mir-[a-z0-9]+$/),
    ])
  })

  test('are stored as they are sent, and refused if another product of the store has them', async () => {
    expect((await create({ slug: 'mine' })).json.product.slug).toBe('mine')
    const { status, json } = await create({ slug: 'mine' })
    expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(json.details).toMatchObject({ field: 'slug', reason: 'taken' })
    expect((await create({ slug: 'mine' }, { as: tradepost.other })).status).toBe(201)
    expect((await create({ slug: 'mine' }, { as: tradepost.test })).status).toBe(201)
  })
})

describe('a product is refused and not created, and the error names the field, for', () => {
  test.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a long name', { name: 'x'.repeat(129) }, 'name'],
    ['a line break in the name', { name: 'a\nb' }, 'name'],
    ['no price', { price_cents: undefined }, 'price_cents'],
    [
      'a price other than that of its default variant',
      { price_cents: 0, variants: [{ name: 'A', price_cents: 5 }] },
      'price_cents',
    ],
    ['half a cent', { price_cents: 10.5 }, 'price_cents'],
    ['a negative price', { price_cents: -1 }, 'price_cents'],
    ['a price as text', { price_cents: '1000' }, 'price_cents'],
    ['another currency', { currency: 'USD' }, 'currency'],
    ['a discount with three decimals', { discount_percent: 1.005 }, 'discount_percent'],
    ['a discount with seven decimals', { discount_percent: 12.3400001 }, 'discount_percent'],
    ['a discount of 101 percent', { discount_percent: 101 }, 'discount_percent'],
    ['a max_qty below min_qty', { min_qty: 3, max_qty: 2 }, 'max_qty'],
    ['min_qty 0', { min_qty: 0 }, 'min_qty'],
    ['a bad slug', { slug: 'Not Good' }, 'slug'],
    ['an unknown type', { type: 'car' }, 'type'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a read-only field', { sales_count: 5 }, 'sales_count'],
    ['an unknown field of a section', { details: { colour: 'red' } }, 'details.colour'],
    [
      'an address with a forbidden scheme',
      { seo: { og_image_url: 'javascript:alert(1)' } },
      'seo.og_image_url',
    ],
    ['metadata that is not text', { metadata: { a: 1 } }, 'metadata.a'],
    [
      '21 keys of metadata',
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ''])) },
      'metadata',
    ],
    ['no variants in the list', { variants: [] }, 'variants'],
    ['a variant without a name', { variants: [{ price_cents: 5 }] }, 'variants[0].name'],
    [
      'a method twice',
      {
        methods: [
          { method: 'card', enabled: true },
          { method: 'card', enabled: false },
        ],
      },
      'methods[1].method',
    ],
    ['an unknown category', { category_ids: [999_999] }, 'category_ids[0]'],
  ])('%s', async (_, fields, field) => {
    const countBefore = (await tradepost.get('/products')).json.pagination.total
    const { status, json } = await create(fields)
    expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
    expect(json.request_id).toMatch(/^req_/)
    expect((await tradepost.get('/products')).json.pagination.total).toBe(countBefore)
  })

  test('a category of another store, by its position in the list', async () => {
    const [ownCategory, foreignCategory] = [
      await createCategory('Own'),
      await createCategory('Theirs', tradepost.other),
    ]
    const { status, json } = await create({ category_ids: [ownCategory, foreignCategory] })
    expect([status, json.details.field]).toEqual([422, 'category_ids[1]'])
  })

  test('a SKU that another product has', async () => {
    await create({ sku: 'TAKEN-1' })
    const { status, json } = await create({ sku: 'TAKEN-1' })
    expect([status, json.details.field, json.details.reason]).toEqual([422, 'sku', 'taken'])
  })

  test('a key without products:write', async () => {
    const as = await tradepost.key({ permissions: ['products:read', 'stock:write'] })
    const { status, json } = await create({}, { as })
    expect([status, json.code, json.details.required]).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
      'products:write',
    ])
  })
})

test('HTML that exceeds the maximum length after cleaning is refused', async () => {
  const longestHtml = '<b>'.repeat(900) + 'x'.repeat(93_695)
  const { status, json } = await create({ details: { description_html: longestHtml } })
  expect([status, json.details.description_html.length]).toEqual([201, 99_995])
  const description_html = `${longestHtml}<b>`
  const refusal = await create({ details: { description_html } })
  expect([refusal.status, refusal.json.details.field]).toEqual([422, 'details.description_html'])
  const path = `/products/${json.product.id}`
  const productChange = await tradepost.patch(path, { details: { description_html } })
  expect(productChange.json.details.field).toBe('details.description_html')
  const detailsChange = await tradepost.patch(`${path}/details`, { description_html })
  expect(detailsChange.json.details.field).toBe('description_html')
})
