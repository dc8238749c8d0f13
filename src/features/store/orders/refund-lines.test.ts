import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

// Refunds of order lines (decision 185).

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  const coupon = { code: 'ONE', type: 'fixed', amount_cents: 1 }
  await expectSuccess(tradepost.post('/coupons', coupon))
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

const refund = (id: string, body: Json) => tradepost.post(`/orders/${id}/refund`, body)

/** Sells these quantities of products with these prices. Returns the paid order. */
async function sell(lines: readonly [cents: number, units: number][], fields: Json = {}) {
  const items: Json[] = []
  for (const [price_cents, quantity] of lines) {
    const { id } = await product(tradepost, { type: 'service', price_cents })
    items.push({ product_id: id, quantity })
  }
  const paidOrder = await order(tradepost, items[0]?.product_id, {
    items,
    mark_paid: true,
    ...fields,
  })
  await tradepost.events()
  return paidOrder
}

const line = ({ items }: Json, index: number, quantity: number, fields: Json = {}) => ({
  order_item_id: items[index].id,
  quantity,
  ...fields,
})

describe('a refund of order lines', () => {
  test('refunds their price less the discount, and names them in the order and its event', async () => {
    const paidOrder = await sell([
      [1000, 3],
      [250, 2],
    ])
    const items = [line(paidOrder, 0, 2), line(paidOrder, 1, 1)]
    const { status, json } = await refund(paidOrder.id, { items, note: 'Sent too late.' })
    expect(status).toBe(201)
    const refundedItems = [
      { ...items[0], amount_cents: 2000 },
      { ...items[1], amount_cents: 250 },
    ]
    expect(json.refund).toMatchObject({ amount_cents: 2250, items: refundedItems })
    expect(json.order).toMatchObject({ refunded_cents: 2250, refund_status: 'partial' })
    const shown = (await tradepost.get(`/orders/${paidOrder.id}`)).json.order
    expect(shown.refunds).toEqual([json.refund])
    expect(await tradepost.events()).toEqual(['order.refunded'])
    const eventObject = (await tradepost.payloads('order.refunded')).at(-1).data.object
    expect(eventObject.refund).toEqual({
      id: json.refund.id,
      amount: 22.5,
      reason: 'other',
      note: 'Sent too late.',
      return_id: null,
      items: [0, 1].map((index) => {
        const { product_id, variant_id } = paidOrder.items[index]
        return {
          product_id,
          variant_id,
          quantity: items[index]?.quantity,
          amount: [20, 2.5][index],
        }
      }),
    })
  })

  test('of each unit adds up to the line with its share of the discount, and the last one ends the order', async () => {
    const paidOrder = await sell([[1000, 3]], { coupon_code: 'ONE' })
    expect(paidOrder.items[0].total_cents).toBe(2999)
    const amounts: number[] = []
    for (let n = 0; n < 3; n++) {
      const { json } = await refund(paidOrder.id, { items: [line(paidOrder, 0, 1)] })
      amounts.push(json.refund.amount_cents)
    }
    expect(amounts).toEqual([999, 1000, 1000])
    expect((await tradepost.get(`/orders/${paidOrder.id}`)).json.order.status).toBe('refunded')
    expect(await tradepost.events()).toEqual(Array(3).fill('order.refunded'))
  })

  test('takes other amounts for its lines', async () => {
    const paidOrder = await sell([
      [1000, 1],
      [500, 1],
    ])
    const items = [line(paidOrder, 0, 1, { amount_cents: 700 }), line(paidOrder, 1, 1)]
    const { json } = await refund(paidOrder.id, { items, amount_cents: 1200 })
    expect(json.refund).toMatchObject({
      amount_cents: 1200,
      items: [{ amount_cents: 700 }, { amount_cents: 500 }],
    })
  })

  test('is not limited by refunds of an amount, except for their money', async () => {
    const paidOrder = await sell([[1000, 2]])
    const { refund: first } = await expectSuccess(refund(paidOrder.id, { amount_cents: 1500 }))
    expect(first.items).toEqual([])
    const tooMuch = await refund(paidOrder.id, { items: [line(paidOrder, 0, 1)] })
    expect([tooMuch.json.code, tooMuch.json.details.available]).toEqual([
      'REFUND_EXCEEDS_PAID',
      500,
    ])
    const items = [line(paidOrder, 0, 1, { amount_cents: 500 })]
    expect((await refund(paidOrder.id, { items })).json.order.status).toBe('refunded')
  })
})

describe('a refund of order lines is refused', () => {
  const refusalOf = async (id: string, body: Json) => {
    const { status, json } = await refund(id, body)
    return [status, json.code, json.details.field, json.details.errors?.[0].message ?? json.error]
  }
  const invalid = (field: string, error: unknown = expect.any(String)) => [
    422,
    'VALIDATION_FAILED',
    field,
    error,
  ]

  test('if its amounts do not add up to the amount', async () => {
    const paidOrder = await sell([[1000, 2]])
    const items = [line(paidOrder, 0, 1)]
    expect(await refusalOf(paidOrder.id, { items, amount_cents: 999 })).toEqual(
      invalid(
        'amount_cents',
        'The items add up to 1000, not 999. Send 1000, or leave amount_cents out.',
      ),
    )
    expect(await tradepost.events()).toEqual([])
  })

  test('for units that were refunded before, repeated lines, and lines of other orders', async () => {
    const paidOrder = await sell([[1000, 3]])
    const otherOrder = await sell([[1000, 1]])
    await expectSuccess(refund(paidOrder.id, { items: [line(paidOrder, 0, 2)] }))
    await tradepost.events()
    expect(await refusalOf(paidOrder.id, { items: [line(paidOrder, 0, 2)] })).toEqual(
      invalid(
        'items[0].quantity',
        'Only 1 unit of this line can still be refunded. Send 1 or fewer.',
      ),
    )
    const twice = [line(paidOrder, 0, 1), line(paidOrder, 0, 1)]
    expect(await refusalOf(paidOrder.id, { items: twice })).toEqual(
      invalid('items[1].order_item_id'),
    )
    expect(await refusalOf(paidOrder.id, { items: [line(otherOrder, 0, 1)] })).toEqual(
      invalid('items[0].order_item_id'),
    )
    expect(await tradepost.events()).toEqual([])
  })

  test.each<[string, Json[], string]>([
    ['no line', [], 'items'],
    ['no unit', [{ order_item_id: 1, quantity: 0 }], 'items[0].quantity'],
    [
      'a negative amount',
      [{ order_item_id: 1, quantity: 1, amount_cents: -1 }],
      'items[0].amount_cents',
    ],
    ['an unknown field', [{ order_item_id: 1, quantity: 1, sku: 'A' }], 'items[0].sku'],
  ])('with %s', async (_fault, items, field) => {
    const paidOrder = await sell([[1000, 1]])
    expect(await refusalOf(paidOrder.id, { items })).toEqual(invalid(field))
  })
})
