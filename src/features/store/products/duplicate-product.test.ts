import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { fingerprintRows } from '../../../../test/contract/prepared-calls.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { subscriptionProduct } from '../../../../test/subscribe.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** Creates a product with everything that a duplicate has, and everything that it does not have. */
async function createFullProduct(): Promise<Json> {
  const newProduct = await product(tradepost, {
    name: 'Photo editor',
    price_cents: undefined,
    sku: undefined,
    visibility: 'unlisted',
    best_seller: true,
    discount_percent: 5,
    min_qty: 2,
    max_qty: 9,
    sell_limit: 20,
    delivery_note: 'Keep it.',
    metadata: { origin: 'import' },
    stock_alert_threshold: 3,
    details: { description_html: '<p>Edits.</p>', highlights: { Size: '5 MB' } },
    seo: { meta_title: 'Editor' },
    methods: [{ method: 'crypto', enabled: false }],
    variants: [
      { name: 'Key', price_cents: 700, compare_at_cents: 900, barcode: '40063813', sku: undefined },
      { name: 'Box', delivery_type: 'physical', stock_quantity: 8, option_values: ['red', 'L'] },
    ],
  })
  const [key, box] = newProduct.product.variants.map((item: Json) => item.id)
  await expectSuccess(tradepost.patch(`/products/${newProduct.id}`, { sku: `P-${newProduct.id}` }))
  await expectSuccess(
    tradepost.patch(`/products/${newProduct.id}/variants/${key}`, { sku: `V-${newProduct.id}` }),
  )
  await expectSuccess(
    tradepost.post(`/products/${newProduct.id}/variants/${key}/keys`, {
      keys: keysNamed(newProduct.id, 5),
    }),
  )
  const sizes = { length_cm: 30, width_cm: 20, height_cm: 5 }
  await expectSuccess(
    tradepost.put(`/products/${newProduct.id}/variants/${box}/shipping-dimensions`, sizes),
  )
  const items = [{ product_id: newProduct.id, quantity: 2 }]
  await order(tradepost, newProduct.id, { items, mark_paid: true })
  return (await tradepost.get(`/products/${newProduct.id}`)).json
}

describe('a duplicate', () => {
  test('is a draft with all settings, and without keys, stock, sales and SKUs', async () => {
    const original = await createFullProduct()
    await tradepost.events()
    const { status, json } = await tradepost.post(`/products/${original.product.id}/duplicate`)
    expect(status).toBe(201)
    const { id, legacy_id, slug, created_at } = json.product
    expect(json).toEqual({
      success: true,
      product: {
        ...original.product,
        id,
        hash_id: id,
        legacy_id,
        slug,
        created_at,
        updated_at: created_at,
        name: 'Photo editor (Copy)',
        status: 'draft',
        active: false,
        sku: null,
        best_seller: false,
        sales_count: 0,
      },
      details: original.details,
      seo: original.seo,
      methods: original.methods,
      media: [],
      variants: original.variants.map((variant: Json, index: number) => ({
        ...variant,
        id: json.variants[index].id,
        product_id: id,
        sku: null,
        barcode: null,
        stock_quantity: 0,
        created_at,
        updated_at: created_at,
      })),
    })
    expect(original.product).toMatchObject({ best_seller: true, sales_count: 2, status: 'active' })
    expect(slug).toBe('photo-editor-copy')
    expect(id).not.toBe(original.product.id)
    expect(json.variants[0].id).not.toBe(original.variants[0].id)
    const keys = await tradepost.get(`/products/${id}/variants/${json.variants[0].id}/keys`)
    expect(keys.json.pagination.total).toBe(0)
    const dimensionsPath = `/products/${id}/variants/${json.variants[1].id}/shipping-dimensions`
    expect((await tradepost.get(dimensionsPath)).json.shipping_dimensions.length_cm).toBe(30)
    expect(await tradepost.events()).toEqual([])
  })

  test('leaves every column of its original unchanged', async () => {
    const original = await createFullProduct()
    const before = await tradepost.get(`/products/${original.product.id}`)
    const duplicate = await tradepost.post(`/products/${original.product.id}/duplicate`)
    expect((await tradepost.get(`/products/${original.product.id}`)).text).toBe(before.text)
    await expectSuccess(
      tradepost.patch(`/products/${duplicate.json.product.id}`, {
        name: 'Changed',
        price_cents: 1,
      }),
    )
    expect((await tradepost.get(`/products/${original.product.id}`)).text).toBe(before.text)
  })

  test('has the variants that are not deleted, and the categories, which count it', async () => {
    const { json: newCategory } = await tradepost.post('/categories', { name: 'Editors' })
    const categoryId: number = newCategory.category.id
    const variants = [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }]
    const { id, product: newProduct } = await product(tradepost, {
      variants,
      category_ids: [categoryId],
    })
    await expectSuccess(tradepost.delete(`/products/${id}/variants/${newProduct.variants[1].id}`))
    const { json: duplicate } = await tradepost.post(`/products/${id}/duplicate`)
    expect(duplicate.variants.map((item: Json) => item.name)).toEqual(['One', 'Three'])
    expect(duplicate.product.categories).toMatchObject([{ id: categoryId }])
    const { json: categoryAnswer } = await tradepost.get(`/categories/${categoryId}`)
    expect(categoryAnswer.category.product_count).toBe(2)
  })

  test('of a subscription product has the billing of its original, which changes separately', async () => {
    const id = await subscriptionProduct(tradepost, { trial_days: 14, recurring_price_cents: 999 })
    const billingPath = (productId: string) => `/products/${productId}/billing`
    const { json: original } = await tradepost.get(billingPath(id))
    tradepost.forward(MINUTE_MS)
    await tradepost.events()
    const { product: duplicate } = (await tradepost.post(`/products/${id}/duplicate`)).json
    expect((await tradepost.get(billingPath(duplicate.id))).json.billing).toEqual({
      ...original.billing,
      product_id: duplicate.id,
      created_at: duplicate.created_at,
      updated_at: duplicate.created_at,
    })
    expect(original.billing).toMatchObject({ trial_days: 14, recurring_price_cents: 999 })
    await expectSuccess(tradepost.put(billingPath(duplicate.id), { billing_cycle: 'yearly' }))
    expect((await tradepost.get(billingPath(id))).json).toEqual(original)
    await expectSuccess(
      tradepost.patch(`/products/${duplicate.id}`, { status: 'active', active: true }),
    )
    await order(tradepost, duplicate.id)
    expect(await tradepost.events()).toEqual(['order.created'])
  })

  test('of a product without billing has no billing', async () => {
    const { id } = await product(tradepost)
    const { product: duplicate } = (await tradepost.post(`/products/${id}/duplicate`)).json
    expect((await tradepost.get(`/products/${duplicate.id}/billing`)).status).toBe(404)
  })

  test('can be created by the hash or the numeric id, and gets another slug each time', async () => {
    const { product: newProduct } = await product(tradepost, { name: 'Twice' })
    const slugs: string[] = []
    for (const productId of [
      newProduct.product.legacy_id,
      newProduct.product.id,
      newProduct.product.legacy_id,
    ]) {
      slugs.push((await tradepost.post(`/products/${productId}/duplicate`)).json.product.slug)
    }
    expect(new Set(slugs).size).toBe(3)
    expect(slugs[0]).toBe('twice-copy')
  })

  test('of a product with a name of 128 characters has a shortened name of whole characters', async () => {
    const { id } = await product(tradepost, { name: `${'x'.repeat(120)}💥${'y'.repeat(6)}` })
    const { name } = (await tradepost.post(`/products/${id}/duplicate`)).json.product
    expect(name).toBe(`${'x'.repeat(120)} (Copy)`)
  })

  test('with an idempotency key is created once, and the repeat gets the same bytes', async () => {
    const { id } = await product(tradepost)
    const headers = { 'idempotency-key': 'copy-once' }
    const first = await tradepost.post(`/products/${id}/duplicate`, undefined, { headers })
    const rowsBefore = await fingerprintRows(tradepost, tradepost.live.id)
    const repeat = await tradepost.post(`/products/${id}/duplicate`, undefined, { headers })
    expect(repeat.status).toBe(201)
    expect(repeat.text).toBe(first.text)
    expect(repeat.headers['idempotency-replayed']).toBe('true')
    expect(await fingerprintRows(tradepost, tradepost.live.id)).toEqual(rowsBefore)
    const otherProduct = await product(tradepost)
    const reuse = await tradepost.post(`/products/${otherProduct.id}/duplicate`, undefined, {
      headers,
    })
    expect([reuse.status, reuse.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    const withLongKey = await tradepost.post(`/products/${id}/duplicate`, undefined, {
      headers: { 'idempotency-key': 'x'.repeat(256) },
    })
    expect([withLongKey.status, withLongKey.json.details.field]).toEqual([422, 'Idempotency-Key'])
  })

  test('needs an empty body, a product of the store and products:write', async () => {
    const { id } = await product(tradepost)
    expect((await tradepost.post(`/products/${id}/duplicate`, {})).status).toBe(201)
    const refusal = await tradepost.post(`/products/${id}/duplicate`, { name: 'Mine' })
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'name'])
    for (const as of [tradepost.other, tradepost.test]) {
      expect((await tradepost.post(`/products/${id}/duplicate`, undefined, { as })).status).toBe(
        404,
      )
    }
    await expectSuccess(tradepost.delete(`/products/${id}`))
    expect((await tradepost.post(`/products/${id}/duplicate`)).status).toBe(404)
    const as = await tradepost.key({ permissions: ['products:read'] })
    const forbidden = await tradepost.post(`/products/${id}/duplicate`, undefined, { as })
    expect([forbidden.status, forbidden.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
  })

  test('runs as many statements for two variants as for fifty', async () => {
    const variants = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: `V${n}`, price_cents: n }))
    const counts: number[] = []
    for (const count of [2, 50]) {
      const fields = { name: `Of ${count}`, variants: variants(count) }
      const { id } = await product(tradepost, fields)
      const duplicate = () => expectSuccess(tradepost.post(`/products/${id}/duplicate`))
      await tradepost.get(`/products/${id}`)
      counts.push((await tradepost.statements(duplicate)).length)
    }
    expect(counts[0]).toBe(counts[1])
    expect(counts[0]).toBeLessThanOrEqual(11)
  })
})

describe('a deleted product', () => {
  test('emits one event, answers 404, and frees its slug and SKU', async () => {
    const fields = {
      name: 'Goes',
      slug: 'goes',
      sku: 'GOES',
      variants: [{ name: 'A', sku: 'GO-A' }],
    }
    const { id, product: newProduct } = await product(tradepost, fields)
    const { total } = (await tradepost.get('/products')).json.pagination
    await tradepost.events()
    const { status, json } = await tradepost.delete(`/products/${id}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id }])
    expect(await tradepost.events()).toEqual(['product.deleted'])
    expect((await tradepost.payloads('product.deleted')).at(-1).data.object).toEqual({
      object: 'product',
      id,
      name: 'Goes',
      slug: 'goes',
      status: 'active',
      stock: 0,
    })
    for (const productId of [id, newProduct.product.legacy_id]) {
      expect((await tradepost.get(`/products/${productId}`)).status).toBe(404)
      expect((await tradepost.patch(`/products/${productId}`, { name: 'x' })).status).toBe(404)
      expect((await tradepost.delete(`/products/${productId}`)).status).toBe(404)
      expect((await tradepost.get(`/products/${productId}/variants`)).status).toBe(404)
    }
    expect((await tradepost.get('/products')).json.pagination.total).toBe(total - 1)
    const matches: Json[] = (await tradepost.get('/products?search=goes')).json.products
    expect(matches.map((item) => item.id)).not.toContain(id)
    expect((await product(tradepost, fields)).product.product.slug).toBe('goes')
    expect(await tradepost.events()).toEqual([])
  })

  test('is shown in its orders, which can be paid, and cannot be ordered', async () => {
    const { id } = await product(tradepost, { name: 'Was here', type: 'service' })
    const newOrder = await order(tradepost, id)
    await expectSuccess(tradepost.delete(`/products/${id}`))
    const shownOrder = (await tradepost.get(`/orders/${newOrder.id}`)).json.order
    expect(shownOrder.items[0]).toMatchObject({ product_id: id, name: 'Was here' })
    expect((await tradepost.post(`/orders/${newOrder.id}/manual-payments`)).status).toBe(201)
    const refusal = await tradepost.post('/orders', {
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
    })
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'items[0].product_id'])
  })
})
