import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { DAY_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

interface MugOrder {
  paidOrder: Json
  itemId: number
  productId: string
  variantId: number
}

/** Creates a paid order of mugs, after which five mugs remain in stock. */
async function createMugOrder(quantity = 3, fields: Json = {}): Promise<MugOrder> {
  const { id, variantId } = await product(tradepost, { name: 'Mug', type: 'physical', ...fields })
  const path = `/products/${id}/variants/${variantId}/stock`
  await expectSuccess(tradepost.patch(path, { quantity: 5 + quantity }))
  const items = [{ product_id: id, quantity }]
  const paidOrder = await order(tradepost, id, { items, mark_paid: true })
  return { paidOrder, itemId: paidOrder.items[0].id, productId: id, variantId }
}

const requestReturn = ({ paidOrder, itemId }: MugOrder, quantity: number, fields: Json = {}) =>
  tradepost.post('/returns', {
    order_id: paidOrder.id,
    items: [{ order_item_id: itemId, quantity, reason: 'too_small' }],
    ...fields,
  })

async function createReturn(mugOrder: MugOrder, quantity: number): Promise<Json> {
  const { status, json, text } = await requestReturn(mugOrder, quantity)
  expect(status, text).toBe(201)
  return json.return
}

const callReturn = (id: number, step: string, body?: Json) =>
  tradepost.post(`/returns/${id}/${step}`, body)

/** Requests a return and makes these steps, each with an empty body. */
async function createReturnAfter(
  mugOrder: MugOrder,
  quantity: number,
  ...steps: string[]
): Promise<Json> {
  let newReturn = await createReturn(mugOrder, quantity)
  for (const step of steps) {
    const { status, json, text } = await callReturn(newReturn.id, step, {})
    expect(status, text).toBe(200)
    newReturn = json.return
  }
  return newReturn
}

const readOnHand = async ({ productId, variantId }: MugOrder): Promise<number> =>
  (await tradepost.get(`/products/${productId}/variants/${variantId}/stock`)).json.stock.on_hand

test('a return is requested with the next number of the store, and emits no event', async () => {
  const mugOrder = await createMugOrder()
  const first = await createReturn(mugOrder, 1)
  await tradepost.events()
  const second = (await requestReturn(mugOrder, 2, { carrier_code: 'dhl' })).json.return
  expect(second).toEqual({
    id: expect.any(Number),
    object: 'return',
    rma: expect.stringMatching(/^RMA-\d{6}$/),
    order_id: mugOrder.paidOrder.id,
    customer_email: 'ada@example.com',
    status: 'requested',
    items: [
      {
        order_item_id: mugOrder.itemId,
        quantity: 2,
        received_quantity: 0,
        damaged_quantity: 0,
        reason: 'too_small',
        note: null,
      },
    ],
    refund_amount_cents: null,
    refund_id: null,
    tracking_number: null,
    carrier_code: 'dhl',
    rejection_note: null,
    requested_at: second.created_at,
    approved_at: null,
    received_at: null,
    closed_at: null,
    created_at: expect.any(String),
    updated_at: second.created_at,
  })
  const numberOf = (rma: string) => Number(rma.slice(4))
  expect(numberOf(second.rma)).toBe(numberOf(first.rma) + 1)
  expect(await tradepost.events()).toEqual([])
  expect((await tradepost.get(`/returns/${second.id}`)).json.return).toEqual(second)
})

describe('the steps of a return', () => {
  test('are approval, receipt and refund, and events report the restock and the refund', async () => {
    const mugOrder = await createMugOrder(3)
    const { id } = await createReturn(mugOrder, 2)
    await tradepost.events()
    const approval = await callReturn(id, 'approve', {
      tracking_number: '0034',
      carrier_code: 'dhl',
    })
    expect(approval.json.return).toMatchObject({
      status: 'approved',
      approved_at: expect.any(String),
      tracking_number: '0034',
      carrier_code: 'dhl',
    })
    const items = [{ order_item_id: mugOrder.itemId, received_quantity: 2, damaged_quantity: 1 }]
    const receipt = await callReturn(id, 'receive', { items })
    expect(receipt.json.return).toMatchObject({
      status: 'received',
      received_at: expect.any(String),
      closed_at: null,
      items: [{ received_quantity: 2, damaged_quantity: 1 }],
    })
    expect(await readOnHand(mugOrder)).toBe(6)
    expect(await tradepost.events()).toEqual(['product.restocked'])
    const restockEvent = (await tradepost.payloads('product.restocked')).at(-1)
    expect(restockEvent.data.object).toMatchObject({ id: mugOrder.productId, added: 1 })
    const refundAnswer = await callReturn(id, 'refund')
    expect(refundAnswer.json.return).toMatchObject({
      status: 'refunded',
      refund_amount_cents: 2000,
      refund_id: expect.any(Number),
      closed_at: expect.any(String),
    })
    expect(await tradepost.events()).toEqual(['order.refunded'])
    const { order: shownOrder } = (await tradepost.get(`/orders/${mugOrder.paidOrder.id}`)).json
    expect(shownOrder).toMatchObject({
      refunded_cents: 2000,
      refund_status: 'partial',
      refunds: [{ id: refundAnswer.json.return.refund_id, amount_cents: 2000 }],
    })
  })

  const STEPS = ['approve', 'reject', 'receive', 'refund', 'cancel']
  test.each([
    ['requested', [], ['approve', 'reject', 'cancel']],
    ['approved', ['approve'], ['receive', 'cancel']],
    ['rejected', ['reject'], []],
    ['cancelled', ['cancel'], []],
    ['received', ['approve', 'receive'], ['refund']],
    ['refunded', ['approve', 'receive', 'refund'], []],
  ])(
    'are refused for a return that is %s, except for the documented ones',
    async (status, steps, allowed) => {
      const newReturn = await createReturnAfter(await createMugOrder(), 1, ...steps)
      expect(newReturn.status).toBe(status)
      for (const step of STEPS.filter((item) => !allowed.includes(item))) {
        const { status: code, json } = await callReturn(newReturn.id, step, {})
        expect([step, code, json.code, json.details?.status]).toEqual([
          step,
          409,
          'INVALID_STATE',
          status,
        ])
      }
    },
  )

  test('include a rejection, whose note is stored', async () => {
    const { id } = await createReturn(await createMugOrder(), 1)
    const { json } = await callReturn(id, 'reject', { note: 'The seal is broken.' })
    expect(json.return).toMatchObject({
      status: 'rejected',
      rejection_note: 'The seal is broken.',
      closed_at: expect.any(String),
    })
  })

  test('end with the status closed, without a refund or an event, if the refunded amount is 0', async () => {
    const { id } = await createReturnAfter(await createMugOrder(), 1, 'approve', 'receive')
    await tradepost.events()
    const { json } = await callReturn(id, 'refund', { amount_cents: 0 })
    expect(json.return).toMatchObject({
      status: 'closed',
      refund_id: null,
      refund_amount_cents: null,
      closed_at: expect.any(String),
    })
    expect(await tradepost.events()).toEqual([])
    expect((await callReturn(id, 'refund', {})).json.details.status).toBe('closed')
  })
})

describe('a return is refused', () => {
  test('for units that were not bought, or that another return contains', async () => {
    const mugOrder = await createMugOrder(3)
    expect((await requestReturn(mugOrder, 4)).json.details.field).toBe('items[0].quantity')
    const first = await createReturn(mugOrder, 2)
    expect((await requestReturn(mugOrder, 2)).json.details.field).toBe('items[0].quantity')
    await expectSuccess(callReturn(first.id, 'cancel'))
    const returnOfAllUnits = await createReturn(mugOrder, 3)
    const { error } = (await requestReturn(mugOrder, 1)).json
    expect(error).toBe(
      'items[0].quantity: All units of this item are in a return already. Leave the item out.',
    )
    await expectSuccess(callReturn(returnOfAllUnits.id, 'approve'))
    const items = [{ order_item_id: mugOrder.itemId, received_quantity: 1 }]
    await expectSuccess(callReturn(returnOfAllUnits.id, 'receive', { items }))
    expect((await requestReturn(mugOrder, 3)).json.details.field).toBe('items[0].quantity')
    await createReturn(mugOrder, 2)
  })

  test('for items of other orders, repeated items, and digital items', async () => {
    const mugOrder = await createMugOrder()
    const otherOrder = await createMugOrder()
    const item = (order_item_id: number) => ({ order_item_id, quantity: 1 })
    const refusedField = async (items: Json[], order_id = mugOrder.paidOrder.id) =>
      (await tradepost.post('/returns', { order_id, items })).json.details.field
    expect(await refusedField([item(otherOrder.itemId)])).toBe('items[0].order_item_id')
    expect(await refusedField([item(mugOrder.itemId), item(mugOrder.itemId)])).toBe(
      'items[1].order_item_id',
    )
    const { id } = await product(tradepost, { price_cents: 0, type: 'license' })
    const digital = await order(tradepost, id)
    expect(await refusedField([item(digital.items[0].id)], digital.id)).toBe(
      'items[0].order_item_id',
    )
    expect(await refusedField([])).toBe('items')
    expect(await refusedField([item(mugOrder.itemId)], 'ord_0000000000000000000001')).toBe(
      'order_id',
    )
    expect(await refusedField([{ ...item(mugOrder.itemId), reason: 'ugly' }])).toBe(
      'items[0].reason',
    )
  })

  test('for an order that is not paid', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const unpaidOrder = await order(tradepost, id)
    const items = [{ order_item_id: unpaidOrder.items[0].id, quantity: 1 }]
    const refusal = await tradepost.post('/returns', { order_id: unpaidOrder.id, items })
    expect([refusal.status, refusal.json.details.status]).toEqual([409, 'pending'])
  })

  test('after the return window of the store, which starts when the order is completed', async () => {
    const shippedOrder = await createMugOrder()
    await expectSuccess(tradepost.post(`/orders/${shippedOrder.paidOrder.id}/fulfillments`, {}))
    const unshippedOrder = await createMugOrder()
    await createReturn(shippedOrder, 1)
    tradepost.forward(14 * DAY_MS)
    const { status, json } = await requestReturn(shippedOrder, 1)
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    await createReturn(unshippedOrder, 1)
    await expectSuccess(tradepost.patch('/account/settings', { return_window_days: 30 }))
    await createReturn(shippedOrder, 1)
  })
})

describe('the received items', () => {
  test('are all undamaged by default', async () => {
    const mugOrder = await createMugOrder(2)
    const newReturn = await createReturnAfter(mugOrder, 2, 'approve', 'receive')
    expect(newReturn.items).toMatchObject([{ received_quantity: 2, damaged_quantity: 0 }])
    expect(await readOnHand(mugOrder)).toBe(7)
  })

  test.each([
    [{ received_quantity: 3 }, 'items[0].received_quantity'],
    [{ received_quantity: -1 }, 'items[0].received_quantity'],
    [{ received_quantity: 1, damaged_quantity: 2 }, 'items[0].damaged_quantity'],
    [{ order_item_id: 999_999, received_quantity: 1 }, 'items[0].order_item_id'],
  ])('are refused as %o', async (fields, field) => {
    const mugOrder = await createMugOrder(2)
    const { id } = await createReturnAfter(mugOrder, 2, 'approve')
    const items = [{ order_item_id: mugOrder.itemId, ...fields }]
    const { status, json } = await callReturn(id, 'receive', { items })
    expect([status, json.details.field]).toEqual([422, field])
    expect(await readOnHand(mugOrder)).toBe(5)
  })

  test('change no stock that is not counted, and emit no event', async () => {
    const mugOrder = await createMugOrder(1, {
      variants: [{ name: 'A', delivery_type: 'physical', track_inventory: false }],
    })
    const { id } = await createReturnAfter(mugOrder, 1, 'approve')
    await tradepost.events()
    await expectSuccess(callReturn(id, 'receive', {}))
    expect(await tradepost.events()).toEqual([])
  })

  test('return to stock once, even if a refund of the order restocks too', async () => {
    const first = await createMugOrder(3)
    await createReturnAfter(first, 2, 'approve', 'receive')
    expect(await readOnHand(first)).toBe(7)
    await expectSuccess(tradepost.post(`/orders/${first.paidOrder.id}/refund`, { restock: true }))
    expect(await readOnHand(first)).toBe(8)
    const second = await createMugOrder(3)
    const { id } = await createReturnAfter(second, 2, 'approve')
    await expectSuccess(tradepost.post(`/orders/${second.paidOrder.id}/refund`, { restock: true }))
    expect(await readOnHand(second)).toBe(8)
    await tradepost.events()
    expect((await callReturn(id, 'receive', {})).json.return.status).toBe('received')
    expect(await readOnHand(second)).toBe(8)
    expect(await tradepost.events()).toEqual([])
  })
})

describe('the refund of a return', () => {
  test('is the amount paid for its units, and the refunds of all units add up to the line', async () => {
    const coupon = { code: 'THIRD', type: 'fixed', amount_cents: 1 }
    await expectSuccess(tradepost.post('/coupons', coupon))
    const { id, variantId } = await product(tradepost, { type: 'physical' })
    await expectSuccess(
      tradepost.patch(`/products/${id}/variants/${variantId}/stock`, { quantity: 3 }),
    )
    const items = [{ product_id: id, quantity: 3 }]
    const paidOrder = await order(tradepost, id, { items, coupon_code: 'THIRD', mark_paid: true })
    const mugOrder = { paidOrder, itemId: paidOrder.items[0].id, productId: id, variantId }
    expect(paidOrder.items[0].total_cents).toBe(2999)
    const amounts: number[] = []
    for (let n = 0; n < 3; n++) {
      const newReturn = await createReturnAfter(mugOrder, 1, 'approve', 'receive', 'refund')
      amounts.push(newReturn.refund_amount_cents)
    }
    expect(amounts).toEqual([999, 1000, 1000])
    const { order: shownOrder } = (await tradepost.get(`/orders/${paidOrder.id}`)).json
    expect(shownOrder).toMatchObject({ status: 'refunded', refunded_cents: 2999 })
  })

  test('may be another amount, up to the paid amount', async () => {
    const mugOrder = await createMugOrder(1)
    const { id } = await createReturnAfter(mugOrder, 1, 'approve', 'receive')
    const tooMuch = await callReturn(id, 'refund', { amount_cents: 1001 })
    expect([tooMuch.status, tooMuch.json.code, tooMuch.json.details.available]).toEqual([
      422,
      'REFUND_EXCEEDS_PAID',
      1000,
    ])
    expect((await tradepost.get(`/returns/${id}`)).json.return.status).toBe('received')
    const partialRefund = await callReturn(id, 'refund', { amount_cents: 500 })
    expect(partialRefund.json.return).toMatchObject({
      status: 'refunded',
      refund_amount_cents: 500,
    })
  })
})

test('returns are listed newest first, and filtered by order, status, email and return number', async () => {
  const mugOrder = await createMugOrder()
  const [requestedReturn, rejectedReturn] = [
    await createReturn(mugOrder, 1),
    await createReturnAfter(mugOrder, 1, 'reject'),
  ]
  const ids = async (query: string) =>
    (await tradepost.get(`/returns?order_id=${mugOrder.paidOrder.id}&${query}`)).json.returns.map(
      (item: Json) => item.id,
    )
  expect(await ids('')).toEqual([rejectedReturn.id, requestedReturn.id])
  expect(await ids('status=requested')).toEqual([requestedReturn.id])
  expect(await ids('status=rejected,closed')).toEqual([rejectedReturn.id])
  expect(await ids('email=ADA@example.com')).toEqual([rejectedReturn.id, requestedReturn.id])
  expect(await ids('email=bob@example.com')).toEqual([])
  const { rma } = rejectedReturn
  for (const text of [rma, rma.toLowerCase(), rma.replace(/^RMA-0*/, '')]) {
    expect(await ids(`rma=${text}`)).toEqual([rejectedReturn.id])
  }
  expect((await tradepost.get('/returns?status=lost')).json.details.field).toBe('status')
  expect((await tradepost.get('/returns?rma=R-1')).json.details.field).toBe('rma')
})

test('sorted by waiting, open returns come before ended ones, by status and then oldest first', async () => {
  const mugOrder = await createMugOrder(5)
  const rejectedReturn = await createReturnAfter(mugOrder, 1, 'reject')
  const approvedReturn = await createReturnAfter(mugOrder, 1, 'approve')
  const receivedReturn = await createReturnAfter(mugOrder, 1, 'approve', 'receive')
  const [older, newer] = [await createReturn(mugOrder, 1), await createReturn(mugOrder, 1)]
  const { json } = await tradepost.get(`/returns?order_id=${mugOrder.paidOrder.id}&sort=waiting`)
  const sortedReturns = [older, newer, receivedReturn, approvedReturn, rejectedReturn]
  expect(json.returns.map((item: Json) => item.id)).toEqual(sortedReturns.map(({ id }) => id))
})
