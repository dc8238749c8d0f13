import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CreatedProduct, order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { simulate, startedOrder } from '../../../../test/provider-payments.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost
let game: CreatedProduct
let createdOrders: Json[]

/**
 * Creates four orders a minute apart, with the totals 10, 30, 20 and 10: pending, paid, cancelled and
 * pending.
 */
beforeAll(async () => {
  tradepost = await openTradepost()
  game = await product(tradepost, { type: 'service' })
  const secondProduct = await product(tradepost, { type: 'service' })
  const bodyOf = (email: string, quantity: number, fields: Json = {}) => ({
    items: [{ product_id: game.id, quantity }],
    customer: { email },
    ...fields,
  })
  createdOrders = []
  for (const fields of [
    bodyOf('ada@example.com', 1, { payment_method: 'manual' }),
    bodyOf('bob_1@example.com', 3, { mark_paid: true, source: 'embed', payment_method: 'card' }),
    bodyOf('ada@example.com', 2),
    bodyOf('cy@example.com', 1, { items: [{ product_id: secondProduct.id, quantity: 1 }] }),
  ]) {
    createdOrders.push(await order(tradepost, game.id, fields))
    tradepost.forward(MINUTE_MS)
  }
  await expectSuccess(tradepost.post(`/orders/${createdOrders[2]?.id}/cancel`))
  const foreignProduct = await product(tradepost, { type: 'service' }, { as: tradepost.other })
  await order(tradepost, foreignProduct.id, {}, { as: tradepost.other })
})
afterAll(() => tradepost.close())

/** Returns the positions of the listed orders among the four created orders, from 1. */
async function listedPositions(query: string): Promise<number[]> {
  const { status, json } = await tradepost.get(`/orders?${query}`)
  expect(status, query).toBe(200)
  expect(json.pagination.total).toBe(json.orders.length)
  return json.orders.map((item: Json) => createdOrders.findIndex(({ id }) => id === item.id) + 1)
}

test('the list has all orders of the store, newest first, without payments, refunds, deliveries and history', async () => {
  expect(await listedPositions('')).toEqual([4, 3, 2, 1])
  const [row] = (await tradepost.get('/orders?status=paid')).json.orders
  const {
    payments: _p,
    refunds: _r,
    deliveries: _d,
    status_history: _h,
    mail_problem: _m,
    ...listedOrder
  } = createdOrders[1] as Json
  expect(row).toEqual(listedOrder)
})

test('GET /orders/{id} shows an order with all its fields, and answers 404 to another store', async () => {
  const [first] = createdOrders as [Json]
  expect((await tradepost.get(`/orders/${first.id}`)).json).toEqual({ success: true, order: first })
  expect((await tradepost.get(`/orders/${first.id}`, { as: tradepost.other })).status).toBe(404)
  expect((await tradepost.get(`/orders/${first.id}`, { as: tradepost.test })).status).toBe(404)
  for (const id of ['1', 'ord_', `ord_${'0'.repeat(22)}`, first.id.toLowerCase()]) {
    const { status, json } = await tradepost.get(`/orders/${id}`)
    expect([status, json.code], id).toEqual([404, 'NOT_FOUND'])
  }
})

test('payments and deliveries can be listed separately', async () => {
  const paidOrder = createdOrders[1] as Json
  const payments = await tradepost.get(`/orders/${paidOrder.id}/payments`)
  expect(payments.json).toEqual({ success: true, payments: paidOrder.payments })
  const deliveries = await tradepost.get(`/orders/${paidOrder.id}/deliveries`)
  expect(deliveries.json).toEqual({ success: true, deliveries: paidOrder.deliveries })
  for (const part of ['payments', 'deliveries']) {
    const { status } = await tradepost.get(`/orders/${paidOrder.id}/${part}`, {
      as: tradepost.other,
    })
    expect(status).toBe(404)
  }
})

describe('orders are filtered', () => {
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
  ])('by %s', async (query, expected) => {
    expect(await listedPositions(query)).toEqual(expected)
  })

  test('by customer, by product, and by times of creation and payment', async () => {
    const [first, second, third] = createdOrders as [Json, Json, Json]
    expect(await listedPositions(`customer_id=${first.customer.id}`)).toEqual([3, 1])
    expect(await listedPositions(`product_id=${game.id}`)).toEqual([3, 2, 1])
    expect(await listedPositions(`product_id=${game.product.product.legacy_id}`)).toEqual([3, 2, 1])
    expect(await listedPositions('product_id=zzzzzzzzzzzz')).toEqual([])
    const period = `created_from=${second.created_at}&created_to=${third.created_at}`
    expect(await listedPositions(period)).toEqual([2])
    expect(await listedPositions(`paid_from=${second.paid_at}`)).toEqual([2])
    expect(await listedPositions(`paid_to=${second.paid_at}`)).toEqual([])
  })

  test('by money above the total that was not refunded yet', async () => {
    const as = { as: tradepost.test }
    const { order: unpaid } = await startedOrder(tradepost)
    const { order: overpaid, payment } = await startedOrder(tradepost)
    const listedIds = async (query: string) => {
      const { json } = await tradepost.get(`/orders?${query}`, as)
      expect(json.pagination.total).toBe(json.orders.length)
      return json.orders.map(({ id }: Json) => id)
    }
    expect(await listedIds('overpaid=true')).toEqual([])
    await expectSuccess(simulate(tradepost, payment, { do: 'overpay', amount_cents: 1500 }))
    expect(await listedIds('overpaid=true')).toEqual([overpaid.id])
    expect(await listedIds('overpaid=true&status=pending')).toEqual([])
    expect(await listedIds('overpaid=false')).toEqual([unpaid.id])
    const refund = { amount_cents: 500 }
    await expectSuccess(tradepost.post(`/orders/${overpaid.id}/refund`, refund, as))
    expect(await listedIds('overpaid=true')).toEqual([])
    expect(await listedIds('overpaid=false')).toEqual([overpaid.id, unpaid.id])
  })

  test('by their hold', async () => {
    const as = { as: tradepost.test }
    const { order: open } = await startedOrder(tradepost)
    const { order: held } = await startedOrder(tradepost)
    const heldIds = async (query: string) => {
      const { json } = await tradepost.get(`/orders?${query}`, as)
      return json.orders
        .map(({ id }: Json) => id)
        .filter((id: string) => [open.id, held.id].includes(id))
    }
    expect(await heldIds('on_hold=true')).toEqual([])
    await expectSuccess(tradepost.post(`/orders/${held.id}/hold`, {}, as))
    expect(await heldIds('on_hold=true')).toEqual([held.id])
    expect(await heldIds('on_hold=false')).toEqual([open.id])
    await expectSuccess(tradepost.post(`/orders/${held.id}/release`, undefined, as))
    expect(await heldIds('on_hold=true')).toEqual([])
  })

  test('by money that arrived after the order had ended', async () => {
    const as = { as: tradepost.test }
    const { order: late, payment } = await startedOrder(tradepost)
    await expectSuccess(tradepost.post(`/orders/${late.id}/cancel`, undefined, as))
    const listed = async (): Promise<boolean> => {
      const { json } = await tradepost.get('/orders?overpaid=true', as)
      return json.orders.some(({ id }: Json) => id === late.id)
    }
    expect(await listed()).toBe(false)
    // Exactly the total of the order.
    await expectSuccess(simulate(tradepost, payment, { do: 'pay' }))
    expect(await listed()).toBe(true)
    await expectSuccess(tradepost.post(`/orders/${late.id}/refund`, {}, as))
    expect(await listed()).toBe(false)
  })

  test('by search, which finds a part of an id, a number or an email as literal text', async () => {
    const [first] = createdOrders as [Json]
    expect(await listedPositions(`search=${first.id.slice(4).toLowerCase()}`)).toEqual([1])
    expect(await listedPositions(`search=${first.number}`)).toContain(1)
    expect(await listedPositions('search=BOB_')).toEqual([2])
    expect(await listedPositions('search=da')).toContain(3)
    expect(await listedPositions('search=da%40')).toEqual([3, 1])
    expect(await listedPositions('search=da%40e%25')).toEqual([])
    expect(await listedPositions('search=da%40exa&status=cancelled')).toEqual([3])
    expect(await listedPositions('search=ле')).toEqual([])
    expect(await listedPositions('search=_')).toEqual([4, 3, 2, 1])
    expect(await listedPositions('search=b%25b')).toEqual([])
    expect(await listedPositions('search=a_a')).toEqual([])
  })
})

test.each([
  ['created_at', [1, 2, 3, 4]],
  ['-created_at', [4, 3, 2, 1]],
  ['total_cents', [1, 4, 3, 2]],
  ['-total_cents', [2, 3, 4, 1]],
  ['-paid_at', [2, 4, 3, 1]],
  ['paid_at', [1, 3, 4, 2]],
])(
  'sort=%s sorts equal orders by id, and unpaid orders as the earliest',
  async (sort, expected) => {
    expect(await listedPositions(`sort=${sort}`)).toEqual(expected)
  },
)

test('the pages of a list have every order once', async () => {
  for (const sort of ['-created_at', 'total_cents', '-paid_at']) {
    const listedIds: string[] = []
    for (let offset = 0, more = true; more; offset += 3) {
      const { json } = await tradepost.get(`/orders?limit=3&offset=${offset}&sort=${sort}`)
      listedIds.push(...json.orders.map((item: Json) => item.id))
      expect(json.pagination).toMatchObject({ total: 4, limit: 3, offset })
      more = json.pagination.has_more
    }
    expect(new Set(listedIds).size, sort).toBe(4)
    expect(listedIds, sort).toHaveLength(4)
  }
})

test.each([
  ['status=open', 'status'],
  ['sort=number', 'sort'],
  ['limit=0', 'limit'],
  ['email=nobody', 'email'],
  ['coupon_code=', 'coupon_code'],
  ['overpaid=yes', 'overpaid'],
  ['on_hold=yes', 'on_hold'],
  ['customer_id=abc', 'customer_id'],
  ['product_id=!', 'product_id'],
  ['paid_from=2026-13-01T00:00:00Z', 'paid_from'],
])('a list with %s is refused, and the error names the parameter', async (query, field) => {
  const { status, json } = await tradepost.get(`/orders?${query}`)
  expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
})

test('reading orders needs orders:read, which orders:write does not include', async () => {
  const as = await tradepost.key({ permissions: ['orders:write'] })
  for (const path of ['/orders', `/orders/${createdOrders[0]?.id}`]) {
    const { status, json } = await tradepost.get(path, { as })
    expect([status, json.code, json.details.required]).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
      'orders:read',
    ])
  }
})
