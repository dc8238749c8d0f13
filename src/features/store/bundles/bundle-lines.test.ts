import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addKeys,
  type CreatedProduct,
  coupon,
  keysNamed,
  order,
  orderOf,
  product,
  zone,
} from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import { expireOrdersJob } from '../payments/index.ts'
import { createAutoReviewsJob } from '../reviews/index.ts'

// Lines of a bundle name it, and count for it (decision 179).

let tradepost: Tradepost
/** A service at 4.00. */
let lesson: CreatedProduct
/** A service at 1.00. */
let call: CreatedProduct

beforeAll(async () => {
  tradepost = await openTradepost()
  lesson = await createService('Lesson', 400)
  call = await createService('Call', 100)
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

const createService = (name: string, price_cents: number) =>
  product(tradepost, { name, type: 'license', price_cents })

/** Creates a bundle at 10.00 of a lesson and two calls, which has three lines. */
async function createBundle(items?: Json[]): Promise<CreatedProduct> {
  const bundle = await product(tradepost, {
    name: 'Course',
    product_kind: 'bundle',
    type: 'license',
    price_cents: 1_000,
  })
  const contents = items ?? [
    { variant_id: lesson.variantId },
    { variant_id: call.variantId, quantity: 2 },
  ]
  await expectSuccess(tradepost.put(`/products/${bundle.id}/bundle`, { items: contents }))
  return bundle
}

const itemsOf = (...products: [CreatedProduct, number][]) =>
  products.map(([{ id }, quantity]) => ({ product_id: id, quantity }))
const PAID = { mark_paid: true }
const readOrder = async (id: string) => (await tradepost.get(`/orders/${id}`)).json.order
const salesOf = async ({ id }: CreatedProduct): Promise<number> =>
  (await tradepost.get(`/products/${id}`)).json.product.sales_count
const bundlesOf = ({ items }: Json) => items.map((item: Json) => item.bundle)
const ordersOf = async (ref: string | number) =>
  (await tradepost.get(`/orders?product_id=${ref}`)).json.orders.map((item: Json) => item.id)

describe('the lines of a bundle', () => {
  test('name the bundle as it was called at the sale, and other lines have null', async () => {
    const bundle = await createBundle()
    await tradepost.events()
    const newOrder = await order(tradepost, bundle.id, { items: itemsOf([bundle, 1], [lesson, 1]) })
    const named = { product_id: bundle.id, name: 'Course' }
    const expected = [named, named, named, null]
    expect(bundlesOf(newOrder)).toEqual(expected)
    const payloads = await tradepost.payloads('order.created')
    expect(bundlesOf(payloads.at(-1)?.data.object)).toEqual(expected)
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
    await expectSuccess(tradepost.patch(`/products/${bundle.id}`, { name: 'Seminar' }))
    await expectSuccess(tradepost.put(`/products/${bundle.id}/bundle`, { items: [] }))
    await expectSuccess(tradepost.delete(`/products/${bundle.id}`))
    expect(bundlesOf(await readOrder(newOrder.id))).toEqual(expected)
    const { json } = await tradepost.get('/orders?limit=1')
    expect(bundlesOf(json.orders[0])).toEqual(expected)
    const { order: paidOrder } = await expectSuccess(
      tradepost.post(`/orders/${newOrder.id}/manual-payments`, {}),
    )
    expect(bundlesOf(paidOrder)).toEqual(expected)
    const explanation = await tradepost.get(`/orders/${newOrder.id}/explain`)
    expect(explanation.json.explanation.lines[0].rule).toContain('the price of Course')
  })

  test('have null if a bundle without contents was sold as it is', async () => {
    const bundle = await createBundle([])
    const newOrder = await order(tradepost, bundle.id, PAID)
    expect(bundlesOf(newOrder)).toEqual([null])
    expect(await salesOf(bundle)).toBe(1)
  })

  test('are found by the product of the bundle, by hash or number, and by their own products', async () => {
    const bundle = await createBundle()
    const inner = await createService('Inner', 100)
    await expectSuccess(
      tradepost.put(`/products/${bundle.id}/bundle`, { items: [{ variant_id: inner.variantId }] }),
    )
    const first = await order(tradepost, bundle.id)
    const second = await order(tradepost, inner.id)
    await order(tradepost, lesson.id)
    expect(await ordersOf(bundle.id)).toEqual([first.id])
    expect(await ordersOf(bundle.product.product.legacy_id)).toEqual([first.id])
    expect(await ordersOf(inner.id)).toEqual([second.id, first.id])
    const filtered = await tradepost.get(`/orders?product_id=${bundle.id}&status=paid`)
    expect(filtered.json.pagination.total).toBe(0)
  })
})

describe('a coupon', () => {
  let bundle: CreatedProduct
  let categoryId: number
  beforeAll(async () => {
    bundle = await createBundle()
    const { category } = await expectSuccess(tradepost.post('/categories', { name: 'Courses' }))
    categoryId = category.id
    await expectSuccess(
      tradepost.put(`/categories/${categoryId}/products`, { product_ids: [bundle.id] }),
    )
  })

  test.each<[string, () => Json]>([
    ['the product', () => ({ product_ids: [bundle.id] })],
    ['the variant', () => ({ variant_ids: [bundle.variantId] })],
    ['a category', () => ({ category_ids: [categoryId] })],
  ])('for %s of a bundle applies to all its lines, and to no other line', async (_name, limits) => {
    const { code } = await coupon(tradepost, { discount_percent: 50, ...limits() })
    const items = itemsOf([bundle, 2], [lesson, 1])
    const body = orderOf(bundle.id, { items, coupon_code: code })
    const validation = await tradepost.post('/coupons/validate', { code, items })
    expect(validation.json).toMatchObject({ valid: true, discount_cents: 1_000 })
    const { order: newOrder } = await expectSuccess(tradepost.post('/orders', body))
    expect(newOrder).toMatchObject({ subtotal_cents: 2_400, discount_cents: 1_000 })
    const discounts = newOrder.items.map((item: Json) => item.discount_cents)
    expect([discounts.slice(0, -1).every((cents: number) => cents > 0), discounts.at(-1)]).toEqual([
      true,
      0,
    ])
    const { status, json } = await tradepost.post(
      '/orders',
      orderOf(lesson.id, { coupon_code: code }),
    )
    expect([status, json.code, json.details.reason]).toEqual([
      422,
      'COUPON_INVALID',
      'not_applicable',
    ])
  })

  test('for a content applies to its lines in the bundle, and compares its minimum with them', async () => {
    const limits = { product_ids: [call.id], min_order_cents: 400 }
    const { code } = await coupon(tradepost, { discount_percent: 100, ...limits })
    const refusal = await tradepost.post('/orders', orderOf(bundle.id, { coupon_code: code }))
    expect([refusal.status, refusal.json.details.reason]).toEqual([422, 'min_order'])
    const items = itemsOf([bundle, 2])
    const newOrder = await order(tradepost, bundle.id, { items, coupon_code: code })
    const callCents = newOrder.items
      .filter((item: Json) => item.product_id === call.id)
      .reduce((sum: number, item: Json) => sum + item.unit_price_cents * item.quantity, 0)
    expect(newOrder.discount_cents).toBe(callCents)
  })
})

describe('sales_count of a bundle', () => {
  test('is the number of bundles in paid orders, once however many lines they have', async () => {
    const bundle = await createBundle()
    const lessonsBefore = await salesOf(lesson)
    const items = itemsOf([bundle, 3], [bundle, 2])
    const { id } = await order(tradepost, bundle.id, { items })
    expect(await salesOf(bundle)).toBe(0)
    await expectSuccess(tradepost.post(`/orders/${id}/manual-payments`, { amount_cents: 1 }))
    expect(await salesOf(bundle)).toBe(0)
    await expectSuccess(tradepost.post(`/orders/${id}/manual-payments`, {}))
    expect([await salesOf(bundle), (await salesOf(lesson)) - lessonsBefore]).toEqual([5, 5])
    await order(tradepost, bundle.id, PAID)
    expect(await salesOf(bundle)).toBe(6)
    const { json } = await tradepost.get('/products?sort=-sales_count&product_kind=bundle')
    expect(json.products[0].id).toBe(bundle.id)
  })

  test('counts when an order on hold is paid, and not again when it is released, refunded or held again', async () => {
    const bundle = await createBundle()
    const post = (id: string, action: string) =>
      expectSuccess(tradepost.post(`/orders/${id}/${action}`, {}))
    const held = await order(tradepost, bundle.id)
    await post(held.id, 'hold')
    await post(held.id, 'manual-payments')
    expect(await salesOf(bundle)).toBe(1)
    await expectNoFindings(tradepost)
    await post(held.id, 'release')
    expect([(await readOrder(held.id)).status, await salesOf(bundle)]).toEqual(['completed', 1])
    const refunded = await order(tradepost, bundle.id)
    await post(refunded.id, 'hold')
    await post(refunded.id, 'manual-payments')
    await post(refunded.id, 'refund')
    expect(await salesOf(bundle)).toBe(2)
  })

  test('does not grow with each hold and release while a physical part waits for stock', async () => {
    const mug = await product(tradepost, { type: 'physical' })
    const stock = `/products/${mug.id}/variants/${mug.variantId}/stock`
    await expectSuccess(tradepost.patch(stock, { quantity: 1 }))
    const bundle = await createBundle([{ variant_id: mug.variantId }])
    const { rates } = await zone(tradepost)
    const waiting = await order(tradepost, bundle.id, {
      shipping_rate_id: rates[0].id,
      shipping_address: { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' },
    })
    tradepost.forward(HOUR_MS)
    await expireOrdersJob.run(tradepost.app)
    await order(tradepost, mug.id, PAID)
    const post = (action: string) =>
      expectSuccess(tradepost.post(`/orders/${waiting.id}/${action}`, {}))
    await post('manual-payments')
    for (const action of ['hold', 'release', 'hold', 'release']) await post(action)
    expect([(await readOrder(waiting.id)).status, await salesOf(bundle)]).toEqual(['paid', 1])
  })

  test('is not reduced by a refund, like that of other products', async () => {
    const bundle = await createBundle()
    const newOrder = await order(tradepost, bundle.id, PAID)
    await tradepost.events()
    await expectSuccess(
      tradepost.post(`/orders/${newOrder.id}/refund`, {
        reason: 'requested_by_customer',
        restock: true,
      }),
    )
    expect(await tradepost.events()).toEqual(['order.refunded'])
    expect(await salesOf(bundle)).toBe(1)
  })

  test('counts a paid bundle whose contents wait for stock, and not again when they are delivered', async () => {
    const game = await product(
      tradepost,
      { variants: [{ name: 'Key', price_cents: 100, allow_backorder: true }] },
      { keys: keysNamed('WAIT', 1) },
    )
    const bundle = await createBundle([{ variant_id: game.variantId, quantity: 2 }])
    await expectSuccess(tradepost.patch(`/products/${bundle.id}`, { price_cents: 999 }))
    const { id, deliveries: first } = await order(tradepost, bundle.id, PAID)
    expect([(await readOrder(id)).status, await salesOf(bundle), await salesOf(game)]).toEqual([
      'paid',
      1,
      // One of its two units, which have two prices, is in stock.
      1,
    ])
    await addKeys(tradepost, game, keysNamed('LATE', 9))
    for (const { order_item_id, status } of first) {
      if (status === 'pending')
        await expectSuccess(tradepost.post(`/orders/${id}/deliveries`, { order_item_id }))
    }
    const { deliveries } = await readOrder(id)
    await expectSuccess(tradepost.post(`/orders/${id}/deliveries/${deliveries[0].id}/replace`))
    expect([(await readOrder(id)).status, await salesOf(bundle), await salesOf(game)]).toEqual([
      'completed',
      1,
      2,
    ])
  })

  test('counts parallel orders of bundles that share their contents', async () => {
    const bundles = [await createBundle(), await createBundle()]
    const bodies = Array.from({ length: 8 }, (_, n) => {
      const sequence = n % 2 === 0 ? bundles : bundles.toReversed()
      const items = itemsOf(...sequence.map((item): [CreatedProduct, number] => [item, 1]))
      const customer = { email: `buyer${n}@example.com` }
      return orderOf('', { items, customer, ...(n % 3 === 0 ? {} : PAID) })
    })
    const answers = await Promise.all(bodies.map((body) => tradepost.post('/orders', body)))
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201))
    const pending = answers.filter(({ json }) => json.order.status === 'pending')
    const payments = await Promise.all(
      pending.map(({ json }) => tradepost.post(`/orders/${json.order.id}/manual-payments`, {})),
    )
    expect(payments.map(({ status }) => status)).toEqual(pending.map(() => 201))
    for (const bundle of bundles) expect(await salesOf(bundle)).toBe(8)
  })
})

describe('a review', () => {
  const review = (order_id: string, product_id: unknown) =>
    tradepost.post('/reviews', { order_id, product_id, rating: 4 })

  test('of a bundle can be written by its buyer, once, and of its contents too', async () => {
    const bundle = await createBundle()
    const { id } = await order(tradepost, bundle.id, PAID)
    await tradepost.events()
    const { status, json } = await review(id, bundle.id)
    expect([status, json.review.product]).toEqual([201, { id: bundle.id, name: 'Course' }])
    expect(await tradepost.events()).toEqual(['review.created'])
    const second = await review(id, String(bundle.product.product.legacy_id))
    expect([second.status, second.json.details.field]).toEqual([422, 'product_id'])
    expect((await review(id, lesson.id)).status).toBe(201)
    const { id: plainId } = await order(tradepost, lesson.id, PAID)
    const refusal = await review(plainId, bundle.id)
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'product_id'])
    const list = await tradepost.get(`/reviews?product_id=${bundle.id}`)
    expect(list.json.pagination.total).toBe(1)
  })

  test('is created automatically for the bundle and each of its products', async () => {
    await expectSuccess(tradepost.patch('/account/settings', { auto_review_days: 1 }))
    await createAutoReviewsJob.run(tradepost.app)
    const bundle = await createBundle()
    const { id } = await order(tradepost, bundle.id, PAID)
    await tradepost.events()
    tradepost.forward(DAY_MS)
    await createAutoReviewsJob.run(tradepost.app)
    const { rows } = await sql<{ hash_id: string }>`
      select p.hash_id from review r join product p on p.id = r.product_id
       where r.order_id = ${id} order by p.id`.execute(tradepost.db)
    expect(rows.map((row) => row.hash_id)).toEqual([lesson.id, call.id, bundle.id])
  })
})
