import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProgram, partner, sale } from '../../../../test/affiliates.ts'
import { order, product } from '../../../../test/build.ts'
import { expectSuccess, openTradepost, type Tradepost } from '../../../../test/harness.ts'

// White space around codes of coupons and partners comes from copying, and is not a part of them (decision 183).

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

test('a coupon is created, checked, used and found by its code with white space around it', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const body = { code: ' SPRING ', type: 'percentage', discount_percent: 10 }
  const { coupon } = await expectSuccess(tradepost.post('/coupons', body))
  expect(coupon.code).toBe('SPRING')
  const items = [{ product_id: id, quantity: 1 }]
  const check = await expectSuccess(
    tradepost.post('/coupons/validate', { code: '\tspring\n', items }),
  )
  expect(check.valid).toBe(true)
  const newOrder = await order(tradepost, id, { coupon_code: '\u00a0spring ' })
  expect(newOrder.coupon.code).toBe('SPRING')
  for (const path of ['/coupons?code=%20spring%20', '/orders?coupon_code=%20spring%20']) {
    expect([path, (await tradepost.get(path)).json.pagination.total]).toEqual([path, 1])
  }
})

test('a code of white space only is refused', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const answer = await tradepost.post('/orders', {
    items: [{ product_id: id, quantity: 1 }],
    customer: { email: 'ada@example.com' },
    coupon_code: '  ',
  })
  expect([answer.status, answer.json.details.field]).toEqual([422, 'coupon_code'])
})

test('an order is attributed to the link of a partner by its code with white space around it', async () => {
  await openProgram(tradepost)
  const { id, code } = await partner(tradepost)
  const order = await sale(tradepost, ` ${code}\n`)
  expect(order.affiliate.partner_id).toBe(id)
})
