import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKeys, keysNamed, order, orderOf, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const service = (fields: Json = {}) => product(tradepost, { type: 'service', ...fields })
const withItem = (id: string, quantity: number, fields: Json = {}) => ({
  items: [{ product_id: id, quantity, ...fields }],
})
const buy = (id: string, fields: Json = {}) => tradepost.post('/orders', orderOf(id, fields))

describe('a new order', () => {
  test('has every field, waits an hour for payment, and emits events for itself and its customer', async () => {
    const game = await service({ name: 'Lesson', sku: 'L-1' })
    await tradepost.events()
    const newOrder = await order(tradepost, game.id, {
      ...withItem(game.id, 3),
      customer: { email: ' Ada@Example.COM ', name: 'Ada', country: 'GB' },
      custom_fields: { size: 'L' },
      metadata: { ref: '7' },
      ip: '192.0.2.1',
      user_agent: 'curl',
      source: 'embed',
      payment_method: 'manual',
      affiliate_code: 'nobody',
    })
    const { id, created_at } = newOrder
    expect(newOrder).toEqual({
      id: expect.stringMatching(/^ord_[0-9A-Za-z]{22}$/),
      object: 'order',
      number: expect.any(Number),
      status: 'pending',
      refund_status: 'none',
      fulfillment_status: 'not_required',
      source: 'embed',
      currency: 'EUR',
      subtotal_cents: 3000,
      discount_cents: 0,
      shipping_cents: 0,
      total_cents: 3000,
      paid_cents: 0,
      refunded_cents: 0,
      payment_method: 'manual',
      customer: { id: expect.any(Number), email: 'ada@example.com', name: 'Ada', country: 'GB' },
      items: [
        {
          id: expect.any(Number),
          product_id: game.id,
          variant_id: game.variantId,
          name: 'Lesson',
          variant_name: 'Default',
          sku: 'L-1',
          delivery_type: 'service',
          quantity: 3,
          cancelled_quantity: 0,
          unit_price_cents: 1000,
          discount_cents: 0,
          total_cents: 3000,
          bundle: null,
        },
      ],
      coupon: null,
      affiliate: null,
      shipping_address: null,
      shipping: null,
      custom_fields: { size: 'L' },
      metadata: { ref: '7' },
      note: null,
      order_url: expect.stringContaining('/s/here/o/ot_'),
      ip: '192.0.2.1',
      language: 'en',
      mail_problem: null,
      user_agent: 'curl',
      expires_at: new Date(Date.parse(created_at) + 60 * MINUTE_MS).toISOString(),
      hold: null,
      paid_at: null,
      completed_at: null,
      cancelled_at: null,
      created_at,
      updated_at: created_at,
      payments: [],
      refunds: [],
      deliveries: [],
      status_history: [{ status: 'pending', at: created_at, reason: null }],
    })
    expect((await tradepost.get(`/orders/${id}`)).json.order).toEqual(newOrder)
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
    const eventObject = (await tradepost.payloads('customer.created')).at(-1).data.object
    expect(eventObject).toEqual({ object: 'customer', ...newOrder.customer, created_at })
  })

  test('is in its event with its variants, SKUs and custom fields (decision 185)', async () => {
    const lesson = await service({ name: 'Lesson', sku: 'L-9', variants: [{ name: 'Evening' }] })
    const custom_fields = { size: 'L', 'Name on the cup': 'Ada' }
    await order(tradepost, lesson.id, { ...withItem(lesson.id, 2), custom_fields })
    expect((await tradepost.payloads('order.created')).at(-1).data.object).toMatchObject({
      items: [
        {
          product_id: lesson.id,
          variant_id: lesson.variantId,
          name: 'Lesson',
          variant_name: 'Evening',
          sku: 'L-9',
          quantity: 2,
          unit_price: 10,
          total: 20,
        },
      ],
      custom_fields,
    })
  })

  test('has the next order number of its store', async () => {
    const game = await service()
    const numbers: number[] = []
    for (let n = 0; n < 3; n++) numbers.push((await order(tradepost, game.id)).number)
    expect(numbers).toEqual([0, 1, 2].map((n) => (numbers[0] ?? 0) + n))
    const foreignProduct = await product(tradepost, { type: 'service' }, { as: tradepost.other })
    expect((await order(tradepost, foreignProduct.id, {}, { as: tradepost.other })).number).toBe(1)
  })

  test('creates a customer once in any case of the email, separately for each store', async () => {
    const game = await service()
    const customers = []
    for (const email of ['bob@example.com', 'BOB@example.com']) {
      await tradepost.events()
      customers.push((await order(tradepost, game.id, { customer: { email } })).customer)
    }
    expect(await tradepost.events()).toEqual(['order.created'])
    expect(customers[0]).toEqual(customers[1])
    const foreignProduct = await product(tradepost, { type: 'service' }, { as: tradepost.other })
    await tradepost.events()
    await order(
      tradepost,
      foreignProduct.id,
      { customer: { email: 'bob@example.com' } },
      { as: tradepost.other },
    )
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
  })

  test('keeps its items as bought after the product changes', async () => {
    const game = await service({ name: 'Before' })
    const { id } = await order(tradepost, game.id)
    await expectSuccess(tradepost.patch(`/products/${game.id}`, { name: 'After', price_cents: 1 }))
    const [line] = (await tradepost.get(`/orders/${id}`)).json.order.items
    expect(line).toMatchObject({ name: 'Before', unit_price_cents: 1000 })
  })
})

describe('totals', () => {
  test('subtract the discount of each unit, rounded half up, and sum whole cents', async () => {
    const single = await service({ price_cents: 999, discount_percent: 50 })
    const withVariants = await service({
      discount_percent: 10,
      variants: [
        { name: 'Discounted', price_cents: 333, discount_percent: 33.33 },
        { name: 'Inherits', price_cents: 15 },
      ],
    })
    const [discountedId, inheritingId] = withVariants.product.variants.map((item: Json) => item.id)
    const newOrder = await order(tradepost, single.id, {
      items: [
        { product_id: single.id, quantity: 3 },
        { product_id: withVariants.id, variant_id: discountedId, quantity: 2 },
        { product_id: withVariants.id, variant_id: inheritingId, quantity: 1 },
        { product_id: String(single.product.product.legacy_id), quantity: 1 },
      ],
    })
    expect(newOrder.items.map((item: Json) => [item.unit_price_cents, item.total_cents])).toEqual([
      [500, 1500],
      [222, 444],
      [14, 14],
      [500, 500],
    ])
    expect(newOrder).toMatchObject({ subtotal_cents: 2458, discount_cents: 0, total_cents: 2458 })
  })

  test('beyond the largest exact number are refused without an internal error', async () => {
    const expensive = await service({ price_cents: 99_999_999_999 })
    const items = Array.from({ length: 50 }, () => ({ product_id: expensive.id, quantity: 10_000 }))
    const { status } = await buy(expensive.id, { items })
    expect(status).toBe(422)
  })
})

describe('an order is refused and not created, and the error names the field, for:', () => {
  const refusalOf = async (id: string, fields: Json, as = tradepost.live) => {
    await tradepost.events()
    const before = (await tradepost.get('/orders')).json.pagination.total
    const { status, json } = await tradepost.post('/orders', orderOf(id, fields), { as })
    expect((await tradepost.get('/orders')).json.pagination.total).toBe(before)
    expect(await tradepost.events()).toEqual([])
    return [status, json.code, json.details?.field]
  }

  test.each([
    [
      'an unknown product',
      { items: [{ product_id: 'zzzzzzzzzzzz', quantity: 1 }] },
      'items[0].product_id',
    ],
    ['an invalid id', { items: [{ product_id: '!', quantity: 1 }] }, 'items[0].product_id'],
    ['no quantity', { items: [{ product_id: 'zzzzzzzzzzzz' }] }, 'items[0].quantity'],
    ['quantity 0', { items: [{ product_id: 'zzzzzzzzzzzz', quantity: 0 }] }, 'items[0].quantity'],
    [
      'half a unit',
      { items: [{ product_id: 'zzzzzzzzzzzz', quantity: 1.5 }] },
      'items[0].quantity',
    ],
    ['no items', { items: [] }, 'items'],
    ['51 items', { items: Array(51).fill({ product_id: 'zzzzzzzzzzzz', quantity: 1 }) }, 'items'],
    ['no customer', { customer: undefined }, 'customer'],
    ['an address without @', { customer: { email: 'ada' } }, 'customer.email'],
    [
      'an invalid country code',
      { customer: { email: 'a@example.com', country: 'gb' } },
      'customer.country',
    ],
    [
      'an unknown country',
      { customer: { email: 'a@example.com', country: 'XX' } },
      'customer.country',
    ],
    [
      'an address in an unknown country',
      { shipping_address: { name: 'Ada', line1: '1 Way', city: 'London', country: 'UK' } },
      'shipping_address.country',
    ],
    ['an unknown source', { source: 'storefront' }, 'source'],
    ['an unknown field', { total_cents: 1 }, 'total_cents'],
    ['an invalid address', { ip: '1.2.3' }, 'ip'],
    ['a rate without an address', { shipping_rate_id: 5 }, 'shipping_address'],
    ['the method free', { payment_method: 'free' }, 'payment_method'],
    ['a method of the test side', { payment_method: 'test' }, 'payment_method'],
  ])('%s', async (_, fields, field) => {
    const game = await service()
    expect(await refusalOf(game.id, fields)).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('a coupon that does not exist', async () => {
    const game = await service()
    const { status, json } = await buy(game.id, { coupon_code: 'HALF' })
    expect([status, json.code, json.details.reason]).toEqual([422, 'COUPON_INVALID', 'not_found'])
  })

  test.each([
    ['a draft', { status: 'draft' }],
    ['an archived product', { status: 'archived' }],
    ['a product switched off', { active: false }],
    ['a product on hold', { visibility: 'on_hold' }],
  ])('%s', async (_, fields) => {
    const game = await service(fields)
    expect(await refusalOf(game.id, {})).toEqual([422, 'VALIDATION_FAILED', 'items[0].product_id'])
  })

  test('a variant of another product, one that is inactive, and a product of another store', async () => {
    const twoVariants = await service({ variants: [{ name: 'A' }, { name: 'B', active: false }] })
    const game = await service()
    const withVariant = (variant_id: number) => withItem(twoVariants.id, 1, { variant_id })
    const invalidVariant = [422, 'VALIDATION_FAILED', 'items[0].variant_id']
    expect(await refusalOf(twoVariants.id, withVariant(game.variantId))).toEqual(invalidVariant)
    expect(
      await refusalOf(twoVariants.id, withVariant(twoVariants.product.variants[1].id)),
    ).toEqual(invalidVariant)
    const invalidProduct = [422, 'VALIDATION_FAILED', 'items[0].product_id']
    expect(await refusalOf(game.id, {}, tradepost.other)).toEqual(invalidProduct)
    expect(await refusalOf(game.id, {}, tradepost.test)).toEqual(invalidProduct)
  })

  test('an unknown country, and the error has the accepted form', async () => {
    const game = await service()
    const { json } = await buy(game.id, { customer: { email: 'a@example.com', country: 'XX' } })
    expect(json.error).toBe(
      'customer.country: No country has this code. Use one of ISO 3166-1, such as DE.',
    )
  })

  test('an unknown second item, which is named by its position', async () => {
    const [game, second] = [await service(), await service()]
    const firstItem = { product_id: game.id, quantity: 1 }
    for (const [secondItem, field] of [
      [{ product_id: 'zzzzzzzzzzzz', quantity: 1 }, 'items[1].product_id'],
      [{ ...firstItem, variant_id: second.variantId }, 'items[1].variant_id'],
    ] as const) {
      const refusal = [422, 'VALIDATION_FAILED', field]
      expect(await refusalOf(game.id, { items: [firstItem, secondItem] })).toEqual(refusal)
    }
  })

  test('fewer or more units than the product allows in an order', async () => {
    const game = await service({ min_qty: 2, max_qty: 3 })
    const refusal = [422, 'VALIDATION_FAILED', 'items[0].quantity']
    expect(await refusalOf(game.id, withItem(game.id, 1))).toEqual(refusal)
    expect(await refusalOf(game.id, withItem(game.id, 4))).toEqual(refusal)
    expect((await buy(game.id, withItem(game.id, 3))).status).toBe(201)
  })

  test('a payment method that the product does not accept', async () => {
    const game = await service({ methods: [{ method: 'balance', enabled: false }] })
    const refusal = [422, 'VALIDATION_FAILED', 'payment_method']
    expect(await refusalOf(game.id, { payment_method: 'balance' })).toEqual(refusal)
  })

  test('a key without orders:write', async () => {
    const game = await service()
    const as = await tradepost.key({ permissions: ['orders:read'] })
    expect(await refusalOf(game.id, {}, as)).toEqual([403, 'INSUFFICIENT_SCOPE', undefined])
  })
})

test('a customer cannot buy more than the sell_limit in total, not counting orders that ended unpaid', async () => {
  const game = await service({ sell_limit: 3 })
  const fieldsOf = (email: string, quantity: number) => ({
    ...withItem(game.id, quantity),
    customer: { email },
  })
  const first = await order(tradepost, game.id, fieldsOf('eve@example.com', 2))
  const exceedingOrder = await buy(game.id, fieldsOf('EVE@example.com', 2))
  expect([exceedingOrder.status, exceedingOrder.json.details.field]).toEqual([
    422,
    'items[0].quantity',
  ])
  expect((await buy(game.id, fieldsOf('mallory@example.com', 3))).status).toBe(201)
  await expectSuccess(tradepost.post(`/orders/${first.id}/cancel`))
  expect((await buy(game.id, fieldsOf('eve@example.com', 3))).status).toBe(201)
})

describe('stock', () => {
  test('below the ordered quantity is OUT_OF_STOCK with the available quantity, which excludes reserved units', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('OOS', 3) })
    await order(tradepost, game.id, withItem(game.id, 1))
    const { status, json } = await buy(game.id, withItem(game.id, 3))
    expect([status, json.code]).toEqual([409, 'OUT_OF_STOCK'])
    expect(json.details).toEqual({ product_id: game.id, variant_id: game.variantId, available: 2 })
    const { variants, product: after } = (await tradepost.get(`/products/${game.id}`)).json
    expect([variants[0].stock_quantity, after.sales_count]).toEqual([2, 0])
  })

  test('may be missing if backorders are allowed, and the paid order waits for its keys', async () => {
    const variants = [{ name: 'A', allow_backorder: true }]
    const game = await product(tradepost, { variants }, { keys: ['BACKORDER-1'] })
    const newOrder = await order(tradepost, game.id, { ...withItem(game.id, 2), mark_paid: true })
    expect(newOrder).toMatchObject({
      status: 'paid',
      completed_at: null,
      deliveries: [{ status: 'pending', keys: [], attempts: 0, delivered_at: null }],
    })
    expect((await tradepost.get(`/products/${game.id}`)).json.variants[0].stock_quantity).toBe(0)
  })

  test.each([
    ['is not tracked', { track_inventory: false }],
    ['is unlimited', { stock_mode: 'unlimited' }],
    ['has a quantity set by the seller', { stock_mode: 'manual', stock_quantity: 5 }],
  ])(
    'of a serial variant that %s delivers the available keys, and further orders wait',
    async (_, fields) => {
      const game = await product(
        tradepost,
        { variants: [{ name: 'A', ...fields }] },
        { keys: ['ONLY-KEY-0001'] },
      )
      const first = await buy(game.id, { ...withItem(game.id, 1), mark_paid: true })
      expect([first.status, first.json.order?.deliveries[0].keys]).toEqual([201, ['ONLY-KEY-0001']])
      const second = await buy(game.id, { ...withItem(game.id, 1), mark_paid: true })
      expect([second.status, second.json.order?.status]).toEqual([201, 'paid'])
      expect(second.json.order.deliveries).toMatchObject([{ status: 'pending', keys: [] }])
    },
  )

  test('that is unlimited is never counted', async () => {
    const game = await service()
    await order(tradepost, game.id, { ...withItem(game.id, 10_000), mark_paid: true })
    const { variants, product: after } = (await tradepost.get(`/products/${game.id}`)).json
    expect([variants[0].stock_quantity, after.sales_count]).toEqual([0, 10_000])
  })

  test('of keys is delivered oldest first and each key once, also for several lines of one variant', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('FIFO', 2) })
    await addKeys(tradepost, game, ['FIFO-000003', 'FIFO-000004'])
    const items = [2, 1].map((quantity) => ({ product_id: game.id, quantity }))
    const newOrder = await order(tradepost, game.id, { items, mark_paid: true })
    const keys = newOrder.deliveries.map((item: Json) => item.keys)
    expect(keys).toEqual([['FIFO-000001', 'FIFO-000002'], ['FIFO-000003']])
  })
})
