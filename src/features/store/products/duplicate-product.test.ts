import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { rows } from '../../../../test/contract/walk.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { plan } from '../../../../test/subscribe.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** A product that has everything a copy could take, or could take by mistake. */
async function rich(): Promise<Json> {
  const made = await product(tradepost, {
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
  const [key, box] = made.product.variants.map((item: Json) => item.id)
  await tradepost.patch(`/products/${made.id}`, { sku: `P-${made.id}` })
  await tradepost.patch(`/products/${made.id}/variants/${key}`, { sku: `V-${made.id}` })
  await tradepost.post(`/products/${made.id}/variants/${key}/keys`, { keys: keysNamed(made.id, 5) })
  const sizes = { length_cm: 30, width_cm: 20, height_cm: 5 }
  await tradepost.put(`/products/${made.id}/variants/${box}/shipping-dimensions`, sizes)
  const items = [{ product_id: made.id, quantity: 2 }]
  await order(tradepost, made.id, { items, mark_paid: true })
  return (await tradepost.get(`/products/${made.id}`)).json
}

describe('a copy', () => {
  test('is a draft with all that was set, and nothing of keys, stock, sales and SKUs', async () => {
    const original = await rich()
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
      variants: original.variants.map((variant: Json, at: number) => ({
        ...variant,
        id: json.variants[at].id,
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
    const sizes = `/products/${id}/variants/${json.variants[1].id}/shipping-dimensions`
    expect((await tradepost.get(sizes)).json.shipping_dimensions.length_cm).toBe(30)
    expect(await tradepost.events()).toEqual([])
  })

  test('leaves its original as it was, down to the last column', async () => {
    const original = await rich()
    const before = await tradepost.get(`/products/${original.product.id}`)
    const copy = await tradepost.post(`/products/${original.product.id}/duplicate`)
    expect((await tradepost.get(`/products/${original.product.id}`)).text).toBe(before.text)
    await tradepost.patch(`/products/${copy.json.product.id}`, { name: 'Changed', price_cents: 1 })
    expect((await tradepost.get(`/products/${original.product.id}`)).text).toBe(before.text)
  })

  test('has the variants that there are, and is counted where it is listed', async () => {
    const { json: grouping } = await tradepost.post('/categories', { name: 'Editors' })
    const { id: category } = grouping.category
    const variants = [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }]
    const { id, product: made } = await product(tradepost, { variants, category_ids: [category] })
    await tradepost.delete(`/products/${id}/variants/${made.variants[1].id}`)
    const { json: copy } = await tradepost.post(`/products/${id}/duplicate`)
    expect(copy.variants.map((item: Json) => item.name)).toEqual(['One', 'Three'])
    expect(copy.product.categories).toMatchObject([{ id: category }])
    const { json: counted } = await tradepost.get(`/categories/${category}`)
    expect(counted.category.product_count).toBe(2)
  })

  test('of a subscription is billed as its original, and is changed on its own', async () => {
    const id = await plan(tradepost, { trial_days: 14, recurring_price_cents: 999 })
    const path = (ref: string) => `/products/${ref}/billing`
    const { json: original } = await tradepost.get(path(id))
    tradepost.forward(MINUTE_MS)
    await tradepost.events()
    const { product: copy } = (await tradepost.post(`/products/${id}/duplicate`)).json
    expect((await tradepost.get(path(copy.id))).json.billing).toEqual({
      ...original.billing,
      product_id: copy.id,
      created_at: copy.created_at,
      updated_at: copy.created_at,
    })
    expect(original.billing).toMatchObject({ trial_days: 14, recurring_price_cents: 999 })
    await tradepost.put(path(copy.id), { billing_cycle: 'yearly' })
    expect((await tradepost.get(path(id))).json).toEqual(original)
    await tradepost.patch(`/products/${copy.id}`, { status: 'active', active: true })
    await order(tradepost, copy.id)
    expect(await tradepost.events()).toEqual(['order.created'])
  })

  test('of a product without billing has none', async () => {
    const { id } = await product(tradepost)
    const { product: copy } = (await tradepost.post(`/products/${id}/duplicate`)).json
    expect((await tradepost.get(`/products/${copy.id}/billing`)).status).toBe(404)
  })

  test('is made by the numeric id too, and gets a slug of its own each time', async () => {
    const { product: made } = await product(tradepost, { name: 'Twice' })
    const slugs = []
    for (const ref of [made.product.legacy_id, made.product.id, made.product.legacy_id]) {
      slugs.push((await tradepost.post(`/products/${ref}/duplicate`)).json.product.slug)
    }
    expect(new Set(slugs).size).toBe(3)
    expect(slugs[0]).toBe('twice-copy')
  })

  test('of a name of 128 characters has a name of at most 128, whole to the last', async () => {
    const { id } = await product(tradepost, { name: `${'x'.repeat(120)}💥${'y'.repeat(6)}` })
    const { name } = (await tradepost.post(`/products/${id}/duplicate`)).json.product
    expect(name).toBe(`${'x'.repeat(120)} (Copy)`)
  })

  test('under an idempotency key is made once, and the repeat gets the same bytes', async () => {
    const { id } = await product(tradepost)
    const headers = { 'idempotency-key': 'copy-once' }
    const first = await tradepost.post(`/products/${id}/duplicate`, undefined, { headers })
    const before = await rows(tradepost, tradepost.live.id)
    const again = await tradepost.post(`/products/${id}/duplicate`, undefined, { headers })
    expect(again.status).toBe(201)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(await rows(tradepost, tradepost.live.id)).toEqual(before)
    const other = await product(tradepost)
    const reused = await tradepost.post(`/products/${other.id}/duplicate`, undefined, { headers })
    expect([reused.status, reused.json.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    const long = await tradepost.post(`/products/${id}/duplicate`, undefined, {
      headers: { 'idempotency-key': 'x'.repeat(256) },
    })
    expect([long.status, long.json.details.field]).toEqual([422, 'Idempotency-Key'])
  })

  test('takes no body but an empty one, and no product that is not there', async () => {
    const { id } = await product(tradepost)
    expect((await tradepost.post(`/products/${id}/duplicate`, {})).status).toBe(201)
    const refused = await tradepost.post(`/products/${id}/duplicate`, { name: 'Mine' })
    expect([refused.status, refused.json.details.field]).toEqual([422, 'name'])
    for (const as of [tradepost.other, tradepost.test]) {
      expect((await tradepost.post(`/products/${id}/duplicate`, undefined, { as })).status).toBe(
        404,
      )
    }
    await tradepost.delete(`/products/${id}`)
    expect((await tradepost.post(`/products/${id}/duplicate`)).status).toBe(404)
    const as = await tradepost.key({ permissions: ['products:read'] })
    const denied = await tradepost.post(`/products/${id}/duplicate`, undefined, { as })
    expect([denied.status, denied.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
  })

  test('costs as many statements for two variants as for fifty', async () => {
    const variants = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: `V${n}`, price_cents: n }))
    const counts = []
    for (const count of [2, 50]) {
      const fields = { name: `Of ${count}`, variants: variants(count) }
      const { id } = await product(tradepost, fields)
      const work = () => tradepost.post(`/products/${id}/duplicate`)
      await tradepost.get(`/products/${id}`)
      counts.push((await tradepost.statements(work)).length)
    }
    expect(counts[0]).toBe(counts[1])
    expect(counts[0]).toBeLessThanOrEqual(11)
  })
})

describe('a product that is deleted', () => {
  test('emits one event, is not found anywhere, and frees its slug and SKU', async () => {
    const fields = {
      name: 'Goes',
      slug: 'goes',
      sku: 'GOES',
      variants: [{ name: 'A', sku: 'GO-A' }],
    }
    const { id, product: made } = await product(tradepost, fields)
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
    for (const ref of [id, made.product.legacy_id]) {
      expect((await tradepost.get(`/products/${ref}`)).status).toBe(404)
      expect((await tradepost.patch(`/products/${ref}`, { name: 'x' })).status).toBe(404)
      expect((await tradepost.delete(`/products/${ref}`)).status).toBe(404)
      expect((await tradepost.get(`/products/${ref}/variants`)).status).toBe(404)
    }
    expect((await tradepost.get('/products')).json.pagination.total).toBe(total - 1)
    const found: Json[] = (await tradepost.get('/products?search=goes')).json.products
    expect(found.map((item) => item.id)).not.toContain(id)
    expect((await product(tradepost, fields)).product.product.slug).toBe('goes')
    expect(await tradepost.events()).toEqual([])
  })

  test('is still named by its orders, and cannot be ordered any more', async () => {
    const { id } = await product(tradepost, { name: 'Was here', type: 'service' })
    const bought = await order(tradepost, id)
    await tradepost.delete(`/products/${id}`)
    const read = (await tradepost.get(`/orders/${bought.id}`)).json.order
    expect(read.items[0]).toMatchObject({ product_id: id, name: 'Was here' })
    expect((await tradepost.post(`/orders/${bought.id}/manual-payments`)).status).toBe(201)
    const refused = await tradepost.post('/orders', {
      items: [{ product_id: id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
    })
    expect([refused.status, refused.json.details.field]).toEqual([422, 'items[0].product_id'])
  })
})
