import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coupon, keysNamed, order, orderOf, product, zone } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { diagnose } from '../../installation/doctor/index.ts'
import { expireOrdersJob } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  const { findings } = await diagnose(tradepost.app)
  await tradepost.close()
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
})

const usesOf = async (id: number): Promise<number> =>
  (await tradepost.get(`/coupons/${id}`)).json.coupon.uses
const service = (fields: Json = {}) => product(tradepost, { type: 'service', ...fields })
const by = (coupon_code: string, fields: Json = {}) => ({ coupon_code, ...fields })

async function refused(id: string, fields: Json) {
  await tradepost.events()
  const { status, json } = await tradepost.post('/orders', orderOf(id, fields))
  expect(await tradepost.events()).toEqual([])
  return [status, json.code, json.details?.field, json.details?.reason]
}
const invalid = (reason: string) => [422, 'COUPON_INVALID', 'coupon_code', reason]

test('a coupon is spread over its lines, shown on the order, and counted', async () => {
  const made = await coupon(tradepost, { code: 'Third', discount_percent: 33.33 })
  const [a, b] = [await service({ price_cents: 100 }), await service({ price_cents: 101 })]
  const plain = await service({ price_cents: 500, accepts_coupons: false })
  const items = [a, b, plain].map(({ id }) => ({ product_id: id, quantity: 1 }))
  await tradepost.events()
  const bought = await order(tradepost, a.id, by('THIRD', { items }))
  expect(bought).toMatchObject({
    subtotal_cents: 701,
    discount_cents: 67,
    total_cents: 634,
    coupon: { code: 'Third', type: 'percentage', discount_cents: 67 },
  })
  expect(bought.items.map((item: Json) => [item.discount_cents, item.total_cents])).toEqual([
    [33, 67],
    [34, 67],
    [0, 500],
  ])
  expect(await usesOf(made.id)).toBe(1)
  expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
  expect((await tradepost.payloads('order.created')).at(-1).data.object.total).toBe(6.34)
  const { json } = await tradepost.get('/orders?coupon_code=third')
  expect(json.orders.map((item: Json) => item.id)).toEqual([bought.id])
})

test('an order that costs nothing with it is paid and delivered at once', async () => {
  const { code } = await coupon(tradepost, { discount_percent: 100 })
  const game = await product(tradepost, {}, { keys: keysNamed('FREE', 1) })
  await tradepost.events()
  const bought = await order(tradepost, game.id, by(code))
  expect(bought).toMatchObject({ status: 'completed', total_cents: 0, payment_method: 'free' })
  expect(bought.deliveries[0].keys).toEqual(['FREE-000001'])
  expect(await tradepost.events()).toContain('order.completed')
})

test('shipping is not discounted, and is free from the discounted subtotal on', async () => {
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
  const sent = { shipping_address, shipping_rate_id: rate.id }
  expect(await order(tradepost, mug.id, by(code, sent))).toMatchObject({
    discount_cents: 1000,
    shipping_cents: 500,
    total_cents: 1500,
  })
  const two = { ...sent, items: [{ product_id: mug.id, quantity: 2 }] }
  expect(await order(tradepost, mug.id, by(code, two))).toMatchObject({
    shipping_cents: 0,
    total_cents: 2000,
  })
})

describe('is refused, and makes nothing:', () => {
  test.each<[string, Json]>([
    ['inactive', { active: false }],
    ['not_started', { starts_at: new Date(Date.now() + HOUR_MS).toISOString() }],
    ['expired', { expires_at: new Date(Date.now() - HOUR_MS).toISOString() }],
    ['min_order', { min_order_cents: 1001 }],
    ['not_applicable', { payment_methods: ['crypto'] }],
    ['email_not_allowed', { allowed_emails: ['bob@example.com'] }],
  ])('%s', async (reason, fields) => {
    const game = await service()
    const made = await coupon(tradepost, fields)
    const sent = by(made.code, { payment_method: 'manual' })
    expect(await refused(game.id, sent)).toEqual(invalid(reason))
    expect(await usesOf(made.id)).toBe(0)
  })

  test('max_uses, and it holds nothing then', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('LAST', 2) })
    const made = await coupon(tradepost, { max_uses: 1 })
    await order(tradepost, game.id, by(made.code))
    expect(await refused(game.id, by(made.code))).toEqual(invalid('max_uses'))
    expect((await tradepost.get(`/products/${game.id}`)).json.variants[0].stock_quantity).toBe(1)
  })

  test('max_uses_per_customer, whatever the case of the address', async () => {
    const game = await service()
    const made = await coupon(tradepost, { max_uses_per_customer: 1 })
    const as = (email: string) => by(made.code, { customer: { email } })
    await order(tradepost, game.id, as('once@example.com'))
    expect(await refused(game.id, as('ONCE@example.com'))).toEqual(invalid('max_uses_per_customer'))
    await order(tradepost, game.id, as('twice@example.com'))
    const items = [{ product_id: game.id, quantity: 1 }]
    const check = { code: made.code, items, email: 'once@example.com' }
    expect((await tradepost.post('/coupons/validate', check)).json.reason).toBe(
      'max_uses_per_customer',
    )
    expect(await usesOf(made.id)).toBe(2)
  })

  test('a coupon next door', async () => {
    const game = await service()
    const theirs = await coupon(tradepost, {}, { as: tradepost.other })
    expect(await refused(game.id, by(theirs.code))).toEqual(invalid('not_found'))
  })
})

describe('a use', () => {
  test('is given back by a cancelled and by an expired order, and can be used again', async () => {
    const game = await service()
    const made = await coupon(tradepost, { max_uses: 1, max_uses_per_customer: 1 })
    const first = await order(tradepost, game.id, by(made.code))
    await tradepost.post(`/orders/${first.id}/cancel`)
    expect(await usesOf(made.id)).toBe(0)
    await order(tradepost, game.id, by(made.code))
    tradepost.forward(HOUR_MS)
    await expireOrdersJob.run(tradepost.app)
    expect(await usesOf(made.id)).toBe(0)
    expect((await tradepost.post('/orders', orderOf(game.id, by(made.code)))).status).toBe(201)
  })

  test('is counted again when an expired order is paid late', async () => {
    const game = await service()
    const made = await coupon(tradepost, { max_uses: 1 })
    const late = await order(tradepost, game.id, by(made.code))
    tradepost.forward(HOUR_MS)
    await expireOrdersJob.run(tradepost.app)
    await tradepost.post(`/orders/${late.id}/manual-payments`, { amount_cents: 1 })
    expect(await usesOf(made.id)).toBe(0)
    await tradepost.post(`/orders/${late.id}/manual-payments`)
    expect(await usesOf(made.id)).toBe(1)
  })

  test('is not given back by a refund', async () => {
    const game = await service()
    const made = await coupon(tradepost)
    const sold = await order(tradepost, game.id, by(made.code, { mark_paid: true }))
    await tradepost.post(`/orders/${sold.id}/refund`)
    expect(await usesOf(made.id)).toBe(1)
  })

  test('of a deleted coupon is no hindrance: the order keeps its price, and ends as any other', async () => {
    const game = await service()
    const made = await coupon(tradepost)
    const bought = await order(tradepost, game.id, by(made.code))
    await tradepost.delete(`/coupons/${made.id}`)
    expect((await tradepost.get(`/orders/${bought.id}`)).json.order).toEqual(bought)
    expect((await tradepost.post(`/orders/${bought.id}/cancel`)).status).toBe(200)
    expect(await refused(game.id, by(made.code))).toEqual(invalid('not_found'))
  })
})

test('a coupon costs an order two statements, and an ending one', async () => {
  const game = await service()
  const { code } = await coupon(tradepost, { max_uses: 9 })
  await order(tradepost, game.id)
  const count = async (fields: Json) => {
    let id = ''
    const create = await tradepost.statements(async () => {
      id = (await order(tradepost, game.id, fields)).id
    })
    const cancel = await tradepost.statements(() => tradepost.post(`/orders/${id}/cancel`))
    return [create.length, cancel.length]
  }
  const [plain = [], discounted = []] = [await count({}), await count(by(code))]
  expect(discounted).toEqual([Number(plain[0]) + 2, Number(plain[1]) + 1])
})
