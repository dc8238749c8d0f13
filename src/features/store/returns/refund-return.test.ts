import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** Sells two units of physical products with these prices. Returns the paid order. */
async function sellTwoOfEach(...prices: number[]): Promise<Json> {
  const items = []
  for (const price_cents of prices) {
    const { id, variantId } = await product(tradepost, { type: 'physical', price_cents })
    const path = `/products/${id}/variants/${variantId}/stock`
    await expectSuccess(tradepost.patch(path, { quantity: 9 }))
    items.push({ product_id: id, quantity: 2 })
  }
  return order(tradepost, items[0]?.product_id ?? '', { items, mark_paid: true })
}

/** Receives these units of each line of an order. Returns the id of the return. */
async function receiveUnits(paidOrder: Json, units: readonly number[]): Promise<number> {
  const lines: Json[] = paidOrder.items
  const items = lines.map(({ id, quantity }) => ({ order_item_id: id, quantity }))
  const { json } = await tradepost.post('/returns', { order_id: paidOrder.id, items })
  const { id } = json.return
  await expectSuccess(tradepost.post(`/returns/${id}/approve`))
  const received = lines.map((line, index) => ({
    order_item_id: line.id,
    received_quantity: units[index] ?? 0,
  }))
  await expectSuccess(tradepost.post(`/returns/${id}/receive`, { items: received }))
  await tradepost.events()
  return id
}

const refundReturn = async (id: number, body: Json = {}): Promise<Json> =>
  (await expectSuccess(tradepost.post(`/returns/${id}/refund`, body))).return

const lastRefund = async (): Promise<Json> =>
  (await tradepost.payloads('order.refunded')).at(-1).data.object.refund

const refOf = ({ product_id, variant_id }: Json) => ({ product_id, variant_id })

describe('the event of a refunded return', () => {
  test('names the return, and the received units with the price paid for them (decision 185)', async () => {
    const paidOrder = await sellTwoOfEach(1000, 500, 250)
    const id = await receiveUnits(paidOrder, [2, 1, 0])
    const { refund_id } = await refundReturn(id)
    expect(await tradepost.events()).toEqual(['order.refunded'])
    const [cup, lid] = paidOrder.items
    expect(await lastRefund()).toEqual({
      id: refund_id,
      amount: 25,
      reason: 'requested_by_customer',
      note: null,
      return_id: id,
      items: [
        { ...refOf(cup), quantity: 2, amount: 20 },
        { ...refOf(lid), quantity: 1, amount: 5 },
      ],
    })
  })

  test('divides another amount among the received units (decision 185)', async () => {
    const paidOrder = await sellTwoOfEach(1000, 500, 0)
    const id = await receiveUnits(paidOrder, [2, 1, 2])
    await refundReturn(id, { amount_cents: 1001 })
    expect(await tradepost.events()).toEqual(['order.refunded'])
    const [cup, lid, box] = paidOrder.items
    const refund = await lastRefund()
    expect(refund).toMatchObject({ amount: 10.01, return_id: id })
    expect(refund.items).toEqual([
      { ...refOf(cup), quantity: 2, amount: 8 },
      { ...refOf(lid), quantity: 1, amount: 2.01 },
      { ...refOf(box), quantity: 2, amount: 0 },
    ])
  })

  test('has no items if no unit was received (decision 185)', async () => {
    const id = await receiveUnits(await sellTwoOfEach(1000), [0])
    await refundReturn(id, { amount_cents: 300 })
    expect(await lastRefund()).toMatchObject({ amount: 3, return_id: id, items: [] })
  })
})

describe('a return after the money went back', () => {
  const refundOrder = (id: string, body: Json = {}) =>
    expectSuccess(tradepost.post(`/orders/${id}/refund`, body))

  test('of a refunded order restocks its units, and is closed without a refund (decision 185)', async () => {
    const paidOrder = await sellTwoOfEach(1000)
    await refundOrder(paidOrder.id)
    const [{ product_id, variant_id }] = paidOrder.items
    const stockPath = `/products/${product_id}/variants/${variant_id}/stock`
    const before = (await tradepost.get(stockPath)).json.stock.on_hand
    const id = await receiveUnits(paidOrder, [2])
    expect((await tradepost.get(stockPath)).json.stock.on_hand).toBe(before + 2)
    expect(await refundReturn(id)).toMatchObject({ status: 'closed', refund_id: null })
    expect(await tradepost.events()).toEqual([])
  })

  test('refunds only the units that were not refunded before (decision 185)', async () => {
    const paidOrder = await sellTwoOfEach(1000, 500)
    const [cup, lid] = paidOrder.items
    const items = [{ order_item_id: cup.id, quantity: 1 }]
    await refundOrder(paidOrder.id, { items })
    const id = await receiveUnits(paidOrder, [2, 1])
    expect(await refundReturn(id)).toMatchObject({ status: 'refunded', refund_amount_cents: 1500 })
    expect((await lastRefund()).items).toEqual([
      { ...refOf(cup), quantity: 1, amount: 10 },
      { ...refOf(lid), quantity: 1, amount: 5 },
    ])
    const allCups = await tradepost.post(`/orders/${paidOrder.id}/refund`, { items })
    expect(allCups.json.details.field).toBe('items[0].quantity')
  })

  test('refunds at most what is left of the order (decision 185)', async () => {
    const paidOrder = await sellTwoOfEach(1000)
    await refundOrder(paidOrder.id, { amount_cents: 1700 })
    const id = await receiveUnits(paidOrder, [1])
    expect(await refundReturn(id)).toMatchObject({ status: 'refunded', refund_amount_cents: 300 })
    expect((await lastRefund()).items).toMatchObject([{ quantity: 1, amount: 3 }])
  })
})
