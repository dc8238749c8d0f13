import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { DAY_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

interface Sale {
  sale: Json
  itemId: number
  productId: string
  variantId: number
}

/** A paid order of so many mugs, of which five more are in stock. */
async function mugs(quantity = 3, fields: Json = {}): Promise<Sale> {
  const { id, variantId } = await product(tradepost, { name: 'Mug', type: 'physical', ...fields })
  const path = `/products/${id}/variants/${variantId}/stock`
  await tradepost.patch(path, { quantity: 5 + quantity })
  const items = [{ product_id: id, quantity }]
  const sale = await order(tradepost, id, { items, mark_paid: true })
  return { sale, itemId: sale.items[0].id, productId: id, variantId }
}

const request = ({ sale, itemId }: Sale, quantity: number, fields: Json = {}) =>
  tradepost.post('/returns', {
    order_id: sale.id,
    items: [{ order_item_id: itemId, quantity, reason: 'too_small' }],
    ...fields,
  })

async function requested(sale: Sale, quantity: number): Promise<Json> {
  const { status, json, text } = await request(sale, quantity)
  expect(status, text).toBe(201)
  return json.return
}

const step = (id: number, name: string, body?: Json) =>
  tradepost.post(`/returns/${id}/${name}`, body)

/** A return after these steps, each with an empty body. */
async function walked(sale: Sale, quantity: number, ...steps: string[]): Promise<Json> {
  let made = await requested(sale, quantity)
  for (const name of steps) {
    const { status, json, text } = await step(made.id, name, {})
    expect(status, text).toBe(200)
    made = json.return
  }
  return made
}

const onHand = async ({ productId, variantId }: Sale): Promise<number> =>
  (await tradepost.get(`/products/${productId}/variants/${variantId}/stock`)).json.stock.on_hand

test('a return is requested under the next number of the store; no event is sent', async () => {
  const sale = await mugs()
  const first = await requested(sale, 1)
  await tradepost.events()
  const made = (await request(sale, 2, { carrier_code: 'dhl' })).json.return
  expect(made).toEqual({
    id: expect.any(Number),
    object: 'return',
    rma: expect.stringMatching(/^RMA-\d{6}$/),
    order_id: sale.sale.id,
    customer_email: 'ada@example.com',
    status: 'requested',
    items: [
      {
        order_item_id: sale.itemId,
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
    requested_at: made.created_at,
    approved_at: null,
    received_at: null,
    closed_at: null,
    created_at: expect.any(String),
    updated_at: made.created_at,
  })
  const number = (rma: string) => Number(rma.slice(4))
  expect(number(made.rma)).toBe(number(first.rma) + 1)
  expect(await tradepost.events()).toEqual([])
  expect((await tradepost.get(`/returns/${made.id}`)).json.return).toEqual(made)
})

describe('the way of a return', () => {
  test('approved, received and refunded: stock comes back, and events report both', async () => {
    const sale = await mugs(3)
    const { id } = await requested(sale, 2)
    await tradepost.events()
    const approved = await step(id, 'approve', { tracking_number: '0034', carrier_code: 'dhl' })
    expect(approved.json.return).toMatchObject({
      status: 'approved',
      approved_at: expect.any(String),
      tracking_number: '0034',
      carrier_code: 'dhl',
    })
    const items = [{ order_item_id: sale.itemId, received_quantity: 2, damaged_quantity: 1 }]
    const received = await step(id, 'receive', { items })
    expect(received.json.return).toMatchObject({
      status: 'received',
      received_at: expect.any(String),
      closed_at: null,
      items: [{ received_quantity: 2, damaged_quantity: 1 }],
    })
    expect(await onHand(sale)).toBe(6)
    expect(await tradepost.events()).toEqual(['product.restocked'])
    const restocked = (await tradepost.payloads('product.restocked')).at(-1)
    expect(restocked.data.object).toMatchObject({ id: sale.productId, added: 1 })
    const refunded = await step(id, 'refund')
    expect(refunded.json.return).toMatchObject({
      status: 'refunded',
      refund_amount_cents: 2000,
      refund_id: expect.any(Number),
      closed_at: expect.any(String),
    })
    expect(await tradepost.events()).toEqual(['order.refunded'])
    const { order: bought } = (await tradepost.get(`/orders/${sale.sale.id}`)).json
    expect(bought).toMatchObject({
      refunded_cents: 2000,
      refund_status: 'partial',
      refunds: [{ id: refunded.json.return.refund_id, amount_cents: 2000 }],
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
  ])('a return that is %s takes only its own next steps', async (status, steps, allowed) => {
    const made = await walked(await mugs(), 1, ...steps)
    expect(made.status).toBe(status)
    for (const name of STEPS.filter((item) => !allowed.includes(item))) {
      const { status: code, json } = await step(made.id, name, {})
      expect([name, code, json.code, json.details?.status]).toEqual([
        name,
        409,
        'INVALID_STATE',
        status,
      ])
    }
  })

  test('a rejection keeps its note', async () => {
    const { id } = await requested(await mugs(), 1)
    const { json } = await step(id, 'reject', { note: 'The seal is broken.' })
    expect(json.return).toMatchObject({
      status: 'rejected',
      rejection_note: 'The seal is broken.',
      closed_at: expect.any(String),
    })
  })

  test('an amount of 0 closes it without a refund, and no event is sent', async () => {
    const { id } = await walked(await mugs(), 1, 'approve', 'receive')
    await tradepost.events()
    const { json } = await step(id, 'refund', { amount_cents: 0 })
    expect(json.return).toMatchObject({
      status: 'closed',
      refund_id: null,
      refund_amount_cents: null,
      closed_at: expect.any(String),
    })
    expect(await tradepost.events()).toEqual([])
    expect((await step(id, 'refund', {})).json.details.status).toBe('closed')
  })
})

describe('a return is refused', () => {
  test('for units that were not bought, or that another return claims', async () => {
    const sale = await mugs(3)
    expect((await request(sale, 4)).json.details.field).toBe('items[0].quantity')
    const first = await requested(sale, 2)
    expect((await request(sale, 2)).json.details.field).toBe('items[0].quantity')
    await step(first.id, 'cancel')
    const whole = await requested(sale, 3)
    await step(whole.id, 'approve')
    const items = [{ order_item_id: sale.itemId, received_quantity: 1 }]
    await step(whole.id, 'receive', { items })
    expect((await request(sale, 3)).json.details.field).toBe('items[0].quantity')
    await requested(sale, 2)
  })

  test('for lines of other orders, twice named lines, and digital lines', async () => {
    const sale = await mugs()
    const other = await mugs()
    const item = (order_item_id: number) => ({ order_item_id, quantity: 1 })
    const field = async (items: Json[], order_id = sale.sale.id) =>
      (await tradepost.post('/returns', { order_id, items })).json.details.field
    expect(await field([item(other.itemId)])).toBe('items[0].order_item_id')
    expect(await field([item(sale.itemId), item(sale.itemId)])).toBe('items[1].order_item_id')
    const { id } = await product(tradepost, { price_cents: 0, type: 'license' })
    const digital = await order(tradepost, id)
    expect(await field([item(digital.items[0].id)], digital.id)).toBe('items[0].order_item_id')
    expect(await field([])).toBe('items')
    expect(await field([item(sale.itemId)], 'ord_0000000000000000000001')).toBe('order_id')
    expect(await field([{ ...item(sale.itemId), reason: 'ugly' }])).toBe('items[0].reason')
  })

  test('for an order that is not paid, or was refunded', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const unpaid = await order(tradepost, id)
    const items = [{ order_item_id: unpaid.items[0].id, quantity: 1 }]
    const early = await tradepost.post('/returns', { order_id: unpaid.id, items })
    expect([early.status, early.json.details.status]).toEqual([409, 'pending'])
    const sale = await mugs()
    await tradepost.post(`/orders/${sale.sale.id}/refund`)
    const { status, json } = await request(sale, 1)
    expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', 'refunded'])
  })

  test('after the window of the store, which a paid order has not begun', async () => {
    const shipped = await mugs()
    await tradepost.post(`/orders/${shipped.sale.id}/fulfillments`, {})
    const waiting = await mugs()
    await requested(shipped, 1)
    tradepost.forward(14 * DAY_MS)
    const { status, json } = await request(shipped, 1)
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    await requested(waiting, 1)
    await tradepost.patch('/account/settings', { return_window_days: 30 })
    await requested(shipped, 1)
  })
})

describe('what arrives', () => {
  test('is everything undamaged unless it is said', async () => {
    const sale = await mugs(2)
    const made = await walked(sale, 2, 'approve', 'receive')
    expect(made.items).toMatchObject([{ received_quantity: 2, damaged_quantity: 0 }])
    expect(await onHand(sale)).toBe(7)
  })

  test.each([
    [{ received_quantity: 3 }, 'items[0].received_quantity'],
    [{ received_quantity: -1 }, 'items[0].received_quantity'],
    [{ received_quantity: 1, damaged_quantity: 2 }, 'items[0].damaged_quantity'],
    [{ order_item_id: 999_999, received_quantity: 1 }, 'items[0].order_item_id'],
  ])('is refused as %o', async (fields, field) => {
    const sale = await mugs(2)
    const { id } = await walked(sale, 2, 'approve')
    const items = [{ order_item_id: sale.itemId, ...fields }]
    const { status, json } = await step(id, 'receive', { items })
    expect([status, json.details.field]).toEqual([422, field])
    expect(await onHand(sale)).toBe(5)
  })

  test('does not go into stock that is not counted, and sends no event', async () => {
    const sale = await mugs(1, {
      variants: [{ name: 'A', delivery_type: 'physical', track_inventory: false }],
    })
    const { id } = await walked(sale, 1, 'approve')
    await tradepost.events()
    await step(id, 'receive', {})
    expect(await tradepost.events()).toEqual([])
  })

  test('comes back into stock once, though a refund of the order restocks too', async () => {
    const first = await mugs(3)
    await walked(first, 2, 'approve', 'receive')
    expect(await onHand(first)).toBe(7)
    await tradepost.post(`/orders/${first.sale.id}/refund`, { restock: true })
    expect(await onHand(first)).toBe(8)
    const second = await mugs(3)
    const { id } = await walked(second, 2, 'approve')
    await tradepost.post(`/orders/${second.sale.id}/refund`, { restock: true })
    expect(await onHand(second)).toBe(8)
    await tradepost.events()
    expect((await step(id, 'receive', {})).json.return.status).toBe('received')
    expect(await onHand(second)).toBe(8)
    expect(await tradepost.events()).toEqual([])
  })
})

describe('the refund', () => {
  test('is what was paid for the units, so that all units together give the line', async () => {
    const coupon = { code: 'THIRD', type: 'fixed', amount_cents: 1 }
    await tradepost.post('/coupons', coupon)
    const { id, variantId } = await product(tradepost, { type: 'physical' })
    await tradepost.patch(`/products/${id}/variants/${variantId}/stock`, { quantity: 3 })
    const items = [{ product_id: id, quantity: 3 }]
    const sale = await order(tradepost, id, { items, coupon_code: 'THIRD', mark_paid: true })
    const own = { sale, itemId: sale.items[0].id, productId: id, variantId }
    expect(sale.items[0].total_cents).toBe(2999)
    const amounts: number[] = []
    for (let n = 0; n < 3; n++) {
      const made = await walked(own, 1, 'approve', 'receive', 'refund')
      amounts.push(made.refund_amount_cents)
    }
    expect(amounts).toEqual([999, 1000, 1000])
    const { order: bought } = (await tradepost.get(`/orders/${sale.id}`)).json
    expect(bought).toMatchObject({ status: 'refunded', refunded_cents: 2999 })
  })

  test('may be another amount, but never more than was paid', async () => {
    const sale = await mugs(1)
    const { id } = await walked(sale, 1, 'approve', 'receive')
    const over = await step(id, 'refund', { amount_cents: 1001 })
    expect([over.status, over.json.code, over.json.details.available]).toEqual([
      422,
      'REFUND_EXCEEDS_PAID',
      1000,
    ])
    expect((await tradepost.get(`/returns/${id}`)).json.return.status).toBe('received')
    const half = await step(id, 'refund', { amount_cents: 500 })
    expect(half.json.return).toMatchObject({ status: 'refunded', refund_amount_cents: 500 })
  })
})

test('the list is filtered by status, order and e-mail', async () => {
  const sale = await mugs()
  const [open, done] = [await requested(sale, 1), await walked(sale, 1, 'reject')]
  const ids = async (query: string) =>
    (await tradepost.get(`/returns?order_id=${sale.sale.id}&${query}`)).json.returns.map(
      (item: Json) => item.id,
    )
  expect(await ids('')).toEqual([done.id, open.id])
  expect(await ids('status=requested')).toEqual([open.id])
  expect(await ids('status=rejected,closed')).toEqual([done.id])
  expect(await ids('email=ADA@example.com')).toEqual([done.id, open.id])
  expect(await ids('email=bob@example.com')).toEqual([])
  expect((await tradepost.get('/returns?status=lost')).json.details.field).toBe('status')
})
