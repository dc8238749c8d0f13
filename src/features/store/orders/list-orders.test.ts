import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product, type Stocked } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost
let game: Stocked
let made: Json[]

/** Four orders a minute apart, of 10, 30, 20 and 10: pending, paid, cancelled and pending. */
beforeAll(async () => {
  tradepost = await openTradepost()
  game = await product(tradepost, { type: 'service' })
  const other = await product(tradepost, { type: 'service' })
  const of = (email: string, quantity: number, fields: Json = {}) => ({
    items: [{ product_id: game.id, quantity }],
    customer: { email },
    ...fields,
  })
  made = []
  for (const fields of [
    of('ada@example.com', 1, { payment_method: 'manual' }),
    of('bob_1@example.com', 3, { mark_paid: true, source: 'embed', payment_method: 'card' }),
    of('ada@example.com', 2),
    of('cy@example.com', 1, { items: [{ product_id: other.id, quantity: 1 }] }),
  ]) {
    made.push(await order(tradepost, game.id, fields))
    tradepost.forward(MINUTE_MS)
  }
  await tradepost.post(`/orders/${made[2]?.id}/cancel`)
  const theirs = await product(tradepost, { type: 'service' }, { as: tradepost.other })
  await order(tradepost, theirs.id, {}, { as: tradepost.other })
})
afterAll(() => tradepost.close())

/** The orders of an answer by their place among those made, from 1. */
async function numbers(query: string): Promise<number[]> {
  const { status, json } = await tradepost.get(`/orders?${query}`)
  expect(status, query).toBe(200)
  expect(json.pagination.total).toBe(json.orders.length)
  return json.orders.map((item: Json) => made.findIndex(({ id }) => id === item.id) + 1)
}

test('a list shows all of the store, newest first, with items and without what happened', async () => {
  expect(await numbers('')).toEqual([4, 3, 2, 1])
  const [row] = (await tradepost.get('/orders?status=paid')).json.orders
  const {
    payments: _p,
    refunds: _r,
    deliveries: _d,
    status_history: _h,
    ...listed
  } = made[1] as Json
  expect(row).toEqual(listed)
})

test('one order is read whole, and is not found from another store', async () => {
  const [first] = made as [Json]
  expect((await tradepost.get(`/orders/${first.id}`)).json).toEqual({ success: true, order: first })
  expect((await tradepost.get(`/orders/${first.id}`, { as: tradepost.other })).status).toBe(404)
  expect((await tradepost.get(`/orders/${first.id}`, { as: tradepost.test })).status).toBe(404)
  for (const id of ['1', 'ord_', `ord_${'0'.repeat(22)}`, first.id.toLowerCase()]) {
    const { status, json } = await tradepost.get(`/orders/${id}`)
    expect([status, json.code], id).toEqual([404, 'NOT_FOUND'])
  }
})

test('payments and deliveries are read by themselves too', async () => {
  const paid = made[1] as Json
  const payments = await tradepost.get(`/orders/${paid.id}/payments`)
  expect(payments.json).toEqual({ success: true, payments: paid.payments })
  const deliveries = await tradepost.get(`/orders/${paid.id}/deliveries`)
  expect(deliveries.json).toEqual({ success: true, deliveries: paid.deliveries })
  for (const part of ['payments', 'deliveries']) {
    const { status } = await tradepost.get(`/orders/${paid.id}/${part}`, { as: tradepost.other })
    expect(status).toBe(404)
  }
})

describe('filters', () => {
  test.each([
    ['status=pending', [4, 1]],
    ['status=paid,cancelled', [3, 2]],
    ['refund_status=none', [4, 3, 2, 1]],
    ['refund_status=partial,full', []],
    ['fulfillment_status=not_required&source=embed', [2]],
    ['source=api', [4, 3, 1]],
    ['payment_method=manual', [1]],
    ['payment_method=manual,card', [2, 1]],
    ['email=ADA@example.com', [3, 1]],
    ['email=da@example.com', []],
    ['customer_id=999999', []],
    ['coupon_code=HALF', []],
    ['unknown=1', [4, 3, 2, 1]],
  ])('%s', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected)
  })

  test('by customer, by product, and by when it was made or paid', async () => {
    const [first, second, third] = made as [Json, Json, Json]
    expect(await numbers(`customer_id=${first.customer.id}`)).toEqual([3, 1])
    expect(await numbers(`product_id=${game.id}`)).toEqual([3, 2, 1])
    expect(await numbers(`product_id=${game.product.product.legacy_id}`)).toEqual([3, 2, 1])
    expect(await numbers('product_id=zzzzzzzzzzzz')).toEqual([])
    const between = `created_from=${second.created_at}&created_to=${third.created_at}`
    expect(await numbers(between)).toEqual([2])
    expect(await numbers(`paid_from=${second.paid_at}`)).toEqual([2])
    expect(await numbers(`paid_to=${second.paid_at}`)).toEqual([])
  })

  test('search finds part of an id, a number or an address, as text', async () => {
    const [first] = made as [Json]
    expect(await numbers(`search=${first.id.slice(4).toLowerCase()}`)).toEqual([1])
    expect(await numbers(`search=${first.number}`)).toContain(1)
    expect(await numbers('search=BOB_')).toEqual([2])
    expect(await numbers('search=da')).toContain(3)
    expect(await numbers('search=da%40')).toEqual([3, 1])
    expect(await numbers('search=da%40e%25')).toEqual([])
    expect(await numbers('search=da%40exa&status=cancelled')).toEqual([3])
    expect(await numbers('search=ле')).toEqual([])
    expect(await numbers('search=_')).toEqual([4, 3, 2, 1])
    expect(await numbers('search=b%25b')).toEqual([])
    expect(await numbers('search=a_a')).toEqual([])
  })
})

test.each([
  ['created_at', [1, 2, 3, 4]],
  ['-created_at', [4, 3, 2, 1]],
  ['total_cents', [1, 4, 3, 2]],
  ['-total_cents', [2, 3, 4, 1]],
  ['-paid_at', [2, 4, 3, 1]],
  ['paid_at', [1, 3, 4, 2]],
])('sort=%s, ties by id, the unpaid as if before all', async (sort, expected) => {
  expect(await numbers(`sort=${sort}`)).toEqual(expected)
})

test('a walk over all pages meets every order once', async () => {
  for (const sort of ['-created_at', 'total_cents', '-paid_at']) {
    const seen: string[] = []
    for (let offset = 0, more = true; more; offset += 3) {
      const { json } = await tradepost.get(`/orders?limit=3&offset=${offset}&sort=${sort}`)
      seen.push(...json.orders.map((item: Json) => item.id))
      expect(json.pagination).toMatchObject({ total: 4, limit: 3, offset })
      more = json.pagination.has_more
    }
    expect(new Set(seen).size, sort).toBe(4)
    expect(seen, sort).toHaveLength(4)
  }
})

test.each([
  ['status=open', 'status'],
  ['sort=number', 'sort'],
  ['limit=0', 'limit'],
  ['email=nobody', 'email'],
  ['coupon_code=', 'coupon_code'],
  ['customer_id=abc', 'customer_id'],
  ['product_id=!', 'product_id'],
  ['paid_from=2026-13-01T00:00:00Z', 'paid_from'],
])('%s is refused by its name', async (query, field) => {
  const { status, json } = await tradepost.get(`/orders?${query}`)
  expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
})

test('reading needs orders:read, which writing does not bring', async () => {
  const as = await tradepost.key({ permissions: ['orders:write'] })
  for (const path of ['/orders', `/orders/${made[0]?.id}`]) {
    const { status, json } = await tradepost.get(path, { as })
    expect([status, json.code, json.details.required]).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
      'orders:read',
    ])
  }
})
