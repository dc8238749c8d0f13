import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coupon, order, product, zone } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { openStoreWithClock } from '../../../../test/store-with-clock.ts'
import { setBalance, subscribe, subscriptionProduct } from '../../../../test/subscribe.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const ADDRESS = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }

/** Returns the amounts of the lines that explain an order. Fails unless their sum is its total. */
async function explainedAmounts({ id, total_cents }: Json): Promise<number[]> {
  const { status, json, text } = await tradepost.get(`/orders/${id}/explain`)
  expect(status, text).toBe(200)
  const { lines, total_cents: total } = json.explanation
  expect(total).toBe(total_cents)
  const cents = lines.map((line: Json) => line.amount_cents)
  expect(cents.reduce((sum: number, item: number) => sum + item, 0)).toBe(total)
  for (const { label, rule } of lines) expect([label, rule]).not.toContain('')
  return cents
}

const getLines = async (id: string): Promise<Json[]> =>
  (await tradepost.get(`/orders/${id}/explain`)).json.explanation.lines

describe('the lines that explain an order add up to its total (decision 144)', () => {
  test('with discounts of products, a coupon that is split over the lines, and shipping', async () => {
    await zone(tradepost)
    const game = await product(tradepost, { type: 'service', discount_percent: 33.33 })
    const mug = await product(tradepost, {
      type: 'physical',
      variants: [{ name: 'Blue', price_cents: 799, stock_mode: 'unlimited' }],
    })
    const { code } = await coupon(tradepost, { discount_percent: 12.5 })
    const quote = await tradepost.post('/shipping/quote', {
      country: 'DE',
      items: [{ product_id: mug.id, quantity: 2 }],
    })
    const newOrder = await order(tradepost, game.id, {
      items: [
        { product_id: game.id, quantity: 3 },
        { product_id: mug.id, quantity: 2 },
      ],
      coupon_code: code,
      shipping_address: ADDRESS,
      shipping_rate_id: quote.json.rates[0].rate_id,
    })
    expect(await explainedAmounts(newOrder)).toEqual([
      2_001,
      1_598,
      -newOrder.items[0].discount_cents,
      -newOrder.items[1].discount_cents,
      500,
    ])
    const [first, , discount, , shipping] = await getLines(newOrder.id)
    expect(first).toMatchObject({
      label: '3 × Game (Default)',
      rule: expect.stringMatching(/^3 × 667,/),
    })
    expect(discount?.label).toContain(code)
    expect(discount?.rule).toContain(String(newOrder.discount_cents))
    expect(shipping).toMatchObject({ label: 'Shipping: Post' })
  })

  test('with a fixed coupon that does not divide evenly, and with a coupon that makes the order free', async () => {
    const { id } = await product(tradepost, { type: 'service', price_cents: 333 })
    const items = Array.from({ length: 3 }, () => ({ product_id: id, quantity: 1 }))
    const fixedCoupon = await coupon(tradepost, { type: 'fixed', amount_cents: 100 })
    const newOrder = await order(tradepost, id, { items, coupon_code: fixedCoupon.code })
    const cents = await explainedAmounts(newOrder)
    expect(cents).toHaveLength(6)
    expect(cents.slice(3).reduce((sum, item) => sum + item, 0)).toBe(-100)
    const fullCoupon = await coupon(tradepost, { discount_percent: 100 })
    const freeOrder = await order(tradepost, id, { coupon_code: fullCoupon.code })
    expect(await explainedAmounts(freeOrder)).toEqual([333, -333])
  })

  test('after a payment from the balance and a refund, which change no line', async () => {
    const { id } = await product(tradepost, { type: 'service', price_cents: 900 })
    const newOrder = await order(tradepost, id, { customer: { email: 'grace@example.com' } })
    await setBalance(tradepost, 'grace@example.com', 400)
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/balance-payments`, {}))
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/manual-payments`, {}))
    expect(await explainedAmounts(newOrder)).toEqual([900])
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/refund`))
    expect(await explainedAmounts(newOrder)).toEqual([900])
  })

  test('of a renewal', async () => {
    const clocked = await openStoreWithClock()
    const { tradepost: clockedTradepost, as, advance, getSubscription } = clocked
    const monthly = await subscriptionProduct(clockedTradepost, {}, {}, as)
    const { id } = await subscribe(clockedTradepost, monthly, {}, as)
    await advance('40d')
    const renewal = (await getSubscription(id)).payments.find(
      (item: Json) => item.invoice_id !== undefined && item.status !== 'paid',
    )
    const { json } = await clockedTradepost.get(`/orders/${renewal.invoice_id}/explain`, as)
    const total = (await clocked.getOrder(renewal.invoice_id)).total_cents
    expect(json.explanation.total_cents).toBe(total)
    expect(json.explanation.lines.map((line: Json) => line.amount_cents)).toEqual([total])
    await clockedTradepost.close()
  })
})

test('the explanation of an order of another store answers 404', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const newOrder = await order(tradepost, id)
  const { status, json } = await tradepost.get(`/orders/${newOrder.id}/explain`, {
    as: tradepost.other,
  })
  expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
})
