import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coupon, keysNamed, order, orderOf, product, zone } from '../../../../test/build.ts'
import { fromNow } from '../../../../test/clock.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { expireOrdersJob } from '../payments/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

const countUses = async (id: number): Promise<number> =>
  (await tradepost.get(`/coupons/${id}`)).json.coupon.uses
const service = (fields: Json = {}) => product(tradepost, { type: 'service', ...fields })
const withCoupon = (coupon_code: string, fields: Json = {}) => ({ coupon_code, ...fields })

async function refusalOf(id: string, fields: Json) {
  await tradepost.events()
  const { status, json } = await tradepost.post('/orders', orderOf(id, fields))
  expect(await tradepost.events()).toEqual([])
  return [status, json.code, json.details?.field, json.details?.reason]
}
const invalid = (reason: string) => [422, 'COUPON_INVALID', 'coupon_code', reason]

test('a coupon is spread over the lines to which it applies, shown on the order, and counted', async () => {
  const newCoupon = await coupon(tradepost, { code: 'Third', discount_percent: 33.33 })
  const [first, second] = [await service({ price_cents: 100 }), await service({ price_cents: 101 })]
  const excludedProduct = await service({ price_cents: 500, accepts_coupons: false })
  const items = [first, second, excludedProduct].map(({ id }) => ({ product_id: id, quantity: 1 }))
  await tradepost.events()
  const newOrder = await order(tradepost, first.id, withCoupon('THIRD', { items }))
  expect(newOrder).toMatchObject({
    subtotal_cents: 701,
    discount_cents: 67,
    total_cents: 634,
    coupon: { code: 'Third', type: 'percentage', discount_cents: 67 },
  })
  expect(newOrder.items.map((item: Json) => [item.discount_cents, item.total_cents])).toEqual([
    [33, 67],
    [34, 67],
    [0, 500],
  ])
  expect(await countUses(newCoupon.id)).toBe(1)
  expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
  expect((await tradepost.payloads('order.created')).at(-1).data.object.total).toBe(6.34)
  const { json } = await tradepost.get('/orders?coupon_code=third')
  expect(json.orders.map((item: Json) => item.id)).toEqual([newOrder.id])
})

test('an order that the coupon makes free is paid and delivered immediately', async () => {
  const { code } = await coupon(tradepost, { discount_percent: 100 })
  const game = await product(tradepost, {}, { keys: keysNamed('FREE', 1) })
  await tradepost.events()
  const newOrder = await order(tradepost, game.id, withCoupon(code))
  expect(newOrder).toMatchObject({ status: 'completed', total_cents: 0, payment_method: 'free' })
  expect(newOrder.deliveries[0].keys).toEqual(['FREE-000001'])
  expect(await tradepost.events()).toContain('order.completed')
})

test('shipping is not discounted, and is free if the discounted subtotal reaches free_over_cents', async () => {
  const { code } = await coupon(tradepost, { discount_percent: 50 })
  const mug = await product(tradepost, {
    type: 'physical',
    variants: [{ name: 'M', price_cents: 2000, stock_quantity: 9 }],
  })
  const rates = [{ name: 'Post', calc_type: 'flat', price_cents: 500, free_over_cents: 2000 }]
  const {
    rates: [rate],
  } = await zone(tradepost, { rates })
  const shipping_address = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }
  const shipping = { shipping_address, shipping_rate_id: rate.id }
  expect(await order(tradepost, mug.id, withCoupon(code, shipping))).toMatchObject({
    discount_cents: 1000,
    shipping_cents: 500,
    total_cents: 1500,
  })
  const twoMugs = { ...shipping, items: [{ product_id: mug.id, quantity: 2 }] }
  expect(await order(tradepost, mug.id, withCoupon(code, twoMugs))).toMatchObject({
    shipping_cents: 0,
    total_cents: 2000,
  })
})

describe('an order is refused and not created if its coupon is refused:', () => {
  test.each<[string, Json]>([
    ['inactive', { active: false }],
    ['not_started', { starts_at: fromNow(HOUR_MS) }],
    ['expired', { expires_at: fromNow(-HOUR_MS) }],
    ['min_order', { min_order_cents: 1001 }],
    ['not_applicable', { payment_methods: ['crypto'] }],
    ['email_not_allowed', { allowed_emails: ['bob@example.com'] }],
  ])('%s', async (reason, fields) => {
    const game = await service()
    const newCoupon = await coupon(tradepost, fields)
    const discountedFields = withCoupon(newCoupon.code, { payment_method: 'manual' })
    expect(await refusalOf(game.id, discountedFields)).toEqual(invalid(reason))
    expect(await countUses(newCoupon.id)).toBe(0)
  })

  test('max_uses, because another order has the last use', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('LAST', 2) })
    const newCoupon = await coupon(tradepost, { max_uses: 1 })
    await order(tradepost, game.id, withCoupon(newCoupon.code))
    expect(await refusalOf(game.id, withCoupon(newCoupon.code))).toEqual(invalid('max_uses'))
    expect((await tradepost.get(`/products/${game.id}`)).json.variants[0].stock_quantity).toBe(1)
  })

  test('max_uses_per_customer, in any case of the email', async () => {
    const game = await service()
    const newCoupon = await coupon(tradepost, { max_uses_per_customer: 1 })
    const buyer = (email: string) => withCoupon(newCoupon.code, { customer: { email } })
    await order(tradepost, game.id, buyer('once@example.com'))
    expect(await refusalOf(game.id, buyer('ONCE@example.com'))).toEqual(
      invalid('max_uses_per_customer'),
    )
    await order(tradepost, game.id, buyer('twice@example.com'))
    const items = [{ product_id: game.id, quantity: 1 }]
    const validation = { code: newCoupon.code, items, email: 'once@example.com' }
    expect((await tradepost.post('/coupons/validate', validation)).json.reason).toBe(
      'max_uses_per_customer',
    )
    expect(await countUses(newCoupon.id)).toBe(2)
  })

  test('not_found, because the coupon belongs to another store', async () => {
    const game = await service()
    const foreignCoupon = await coupon(tradepost, {}, { as: tradepost.other })
    expect(await refusalOf(game.id, withCoupon(foreignCoupon.code))).toEqual(invalid('not_found'))
  })
})

describe('a use of a coupon', () => {
  test('is free for another order after its order was cancelled or has expired', async () => {
    const game = await service()
    const newCoupon = await coupon(tradepost, { max_uses: 1, max_uses_per_customer: 1 })
    const first = await order(tradepost, game.id, withCoupon(newCoupon.code))
    await expectSuccess(tradepost.post(`/orders/${first.id}/cancel`))
    expect(await countUses(newCoupon.id)).toBe(0)
    await order(tradepost, game.id, withCoupon(newCoupon.code))
    tradepost.forward(HOUR_MS)
    await expireOrdersJob.run(tradepost.app)
    expect(await countUses(newCoupon.id)).toBe(0)
    expect(
      (await tradepost.post('/orders', orderOf(game.id, withCoupon(newCoupon.code)))).status,
    ).toBe(201)
  })

  test('is counted again when an expired order is paid late', async () => {
    const game = await service()
    const newCoupon = await coupon(tradepost, { max_uses: 1 })
    const expiredOrder = await order(tradepost, game.id, withCoupon(newCoupon.code))
    tradepost.forward(HOUR_MS)
    await expireOrdersJob.run(tradepost.app)
    await expectSuccess(
      tradepost.post(`/orders/${expiredOrder.id}/manual-payments`, { amount_cents: 1 }),
    )
    expect(await countUses(newCoupon.id)).toBe(0)
    await expectSuccess(tradepost.post(`/orders/${expiredOrder.id}/manual-payments`))
    expect(await countUses(newCoupon.id)).toBe(1)
  })

  test('still counts after a refund', async () => {
    const game = await service()
    const newCoupon = await coupon(tradepost)
    const paidOrder = await order(
      tradepost,
      game.id,
      withCoupon(newCoupon.code, { mark_paid: true }),
    )
    await expectSuccess(tradepost.post(`/orders/${paidOrder.id}/refund`))
    expect(await countUses(newCoupon.id)).toBe(1)
  })

  test('stays on its order, which keeps its price, after the coupon is deleted', async () => {
    const game = await service()
    const newCoupon = await coupon(tradepost)
    const newOrder = await order(tradepost, game.id, withCoupon(newCoupon.code))
    await expectSuccess(tradepost.delete(`/coupons/${newCoupon.id}`))
    expect((await tradepost.get(`/orders/${newOrder.id}`)).json.order).toEqual(newOrder)
    expect((await tradepost.post(`/orders/${newOrder.id}/cancel`)).status).toBe(200)
    expect(await refusalOf(game.id, withCoupon(newCoupon.code))).toEqual(invalid('not_found'))
  })
})

test('a coupon adds two statements to an order, and one to its cancellation', async () => {
  const game = await service()
  const { code } = await coupon(tradepost, { max_uses: 9 })
  await order(tradepost, game.id)
  const countStatements = async (fields: Json) => {
    let id = ''
    const create = await tradepost.statements(async () => {
      id = (await order(tradepost, game.id, fields)).id
    })
    const cancel = await tradepost.statements(() =>
      expectSuccess(tradepost.post(`/orders/${id}/cancel`)),
    )
    return [create.length, cancel.length]
  }
  const [create = 0, cancel = 0] = await countStatements({})
  expect(await countStatements(withCoupon(code))).toEqual([create + 2, cancel + 1])
})
