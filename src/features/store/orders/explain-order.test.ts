import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coupon, order, product, zone } from '../../../../test/build.ts'
import { openClocked } from '../../../../test/clocked.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { plan, setBalance, subscribe } from '../../../../test/subscribe.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const ADDRESS = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }

/** The amounts of the lines of an order, which add up to its total. */
async function amounts({ id, total_cents }: Json): Promise<number[]> {
  const { status, json, text } = await tradepost.get(`/orders/${id}/explain`)
  expect(status, text).toBe(200)
  const { lines, total_cents: total } = json.explanation
  expect(total).toBe(total_cents)
  const cents = lines.map((line: Json) => line.amount_cents)
  expect(cents.reduce((sum: number, item: number) => sum + item, 0)).toBe(total)
  for (const { label, rule } of lines) expect([label, rule]).not.toContain('')
  return cents
}

const lines = async (id: string): Promise<Json[]> =>
  (await tradepost.get(`/orders/${id}/explain`)).json.explanation.lines

describe('the lines that explain an order add up to its total (decision 144)', () => {
  test('with discounts of products, a coupon spread over the lines, and shipping', async () => {
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
    const sold = await order(tradepost, game.id, {
      items: [
        { product_id: game.id, quantity: 3 },
        { product_id: mug.id, quantity: 2 },
      ],
      coupon_code: code,
      shipping_address: ADDRESS,
      shipping_rate_id: quote.json.rates[0].rate_id ?? quote.json.rates[0].id,
    })
    expect(await amounts(sold)).toEqual([
      2_001,
      1_598,
      -sold.items[0].discount_cents,
      -sold.items[1].discount_cents,
      500,
    ])
    const [first, , discount, , shipping] = await lines(sold.id)
    expect(first).toMatchObject({
      label: '3 × Game (Default)',
      rule: expect.stringMatching(/^3 × 667,/),
    })
    expect(discount?.label).toContain(code)
    expect(discount?.rule).toContain(String(sold.discount_cents))
    expect(shipping).toMatchObject({ label: 'Shipping: Post' })
  })

  test('with a fixed coupon that does not divide evenly, and one that makes it free', async () => {
    const { id } = await product(tradepost, { type: 'service', price_cents: 333 })
    const items = Array.from({ length: 3 }, () => ({ product_id: id, quantity: 1 }))
    const fixed = await coupon(tradepost, { type: 'fixed', amount_cents: 100 })
    const sold = await order(tradepost, id, { items, coupon_code: fixed.code })
    const cents = await amounts(sold)
    expect(cents).toHaveLength(6)
    expect(cents.slice(3).reduce((sum, item) => sum + item, 0)).toBe(-100)
    const all = await coupon(tradepost, { discount_percent: 100 })
    const free = await order(tradepost, id, { coupon_code: all.code })
    expect(await amounts(free)).toEqual([333, -333])
  })

  test('paid from a balance and refunded, which change no line', async () => {
    const { id } = await product(tradepost, { type: 'service', price_cents: 900 })
    const sold = await order(tradepost, id, { customer: { email: 'grace@example.com' } })
    await setBalance(tradepost, 'grace@example.com', 400)
    await tradepost.post(`/orders/${sold.id}/balance-payments`, {})
    await tradepost.post(`/orders/${sold.id}/manual-payments`, {})
    expect(await amounts(sold)).toEqual([900])
    await tradepost.post(`/orders/${sold.id}/refund`)
    expect(await amounts(sold)).toEqual([900])
  })

  test('of a renewal', async () => {
    const clocked = await openClocked()
    const { tradepost: other, as, advance, see } = clocked
    const monthly = await plan(other, {}, {}, as)
    const { id } = await subscribe(other, monthly, {}, as)
    await advance('40d')
    const renewal = (await see(id)).payments.find(
      (item: Json) => item.invoice_id !== undefined && item.status !== 'paid',
    )
    const { json } = await other.get(`/orders/${renewal.invoice_id}/explain`, as)
    const total = (await clocked.order(renewal.invoice_id)).total_cents
    expect(json.explanation.total_cents).toBe(total)
    expect(json.explanation.lines.map((line: Json) => line.amount_cents)).toEqual([total])
    await other.close()
  })
})

test('the explanation of an order of another store is not found', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const sold = await order(tradepost, id)
  const { status, json } = await tradepost.get(`/orders/${sold.id}/explain`, {
    as: tradepost.other,
  })
  expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
})
