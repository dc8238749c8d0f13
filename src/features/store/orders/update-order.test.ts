import { afterAll, beforeAll, expect, test } from 'vitest'
import { coupon, order, orderOf, product, zone } from '../../../../test/build.ts'
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

const service = (fields: Json = {}) => product(tradepost, { type: 'service', ...fields })
const change = (id: string, body: Json, options = {}) =>
  tradepost.patch(`/orders/${id}`, body, options)
const getOrder = async (id: string): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`)).json.order
const BERLIN = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }

test('the note and the metadata of a paid order can change, omitted fields are kept, and null clears the note', async () => {
  const { id } = await service()
  const newOrder = await order(tradepost, id, { mark_paid: true, metadata: { a: '1' } })
  await tradepost.events()
  tradepost.forward(1000)
  const first = await change(newOrder.id, { note: 'Line 1\nLine 2', metadata: { b: '2' } })
  expect(first.status).toBe(200)
  const { updated_at } = first.json.order
  expect(first.json.order).toEqual({
    ...newOrder,
    note: 'Line 1\nLine 2',
    metadata: { b: '2' },
    updated_at,
  })
  expect(updated_at > newOrder.updated_at).toBe(true)
  const { json } = await change(newOrder.id, { note: null })
  expect(json.order).toMatchObject({ note: null, metadata: { b: '2' } })
  expect(await getOrder(newOrder.id)).toEqual(json.order)
  expect(await tradepost.events()).toEqual([])
})

test('a change of the email moves an unpaid order to the customer with that email, who is created if new', async () => {
  const { id } = await service()
  const newOrder = await order(tradepost, id)
  await tradepost.events()
  const { json } = await change(newOrder.id, { customer_email: 'New@example.com' })
  expect(json.order.customer).toMatchObject({ email: 'new@example.com' })
  expect(json.order.customer.id).not.toBe(newOrder.customer.id)
  expect(await tradepost.events()).toEqual(['customer.created'])
  for (const query of ['email=new@example.com', 'search=NEW@ex']) {
    const { orders } = (await tradepost.get(`/orders?${query}`)).json
    expect(orders.map((item: Json) => item.id)).toEqual([newOrder.id])
  }
  await expectSuccess(change(newOrder.id, { customer_email: 'new@example.com' }))
  expect(await tradepost.events()).toEqual([])
})

test('the limits of a customer apply to an order that is moved to them', async () => {
  const { id } = await service({ sell_limit: 1 })
  await order(tradepost, id, { customer: { email: 'full@example.com' } })
  const newOrder = await order(tradepost, id, { customer: { email: 'free@example.com' } })
  const refusal = await change(newOrder.id, { customer_email: 'full@example.com' })
  expect([refusal.status, refusal.json.details.field]).toEqual([422, 'items[0].quantity'])

  const discountable = await service()
  const { code } = await coupon(tradepost, {
    max_uses_per_customer: 1,
    allowed_emails: ['full@example.com', 'free@example.com', 'third@example.com'],
  })
  const withCoupon = (email: string) => ({ coupon_code: code, customer: { email } })
  await order(tradepost, discountable.id, withCoupon('full@example.com'))
  const discountedOrder = await order(tradepost, discountable.id, withCoupon('free@example.com'))
  const reasons: string[] = []
  for (const customer_email of ['full@example.com', 'stranger@example.com']) {
    const { status, json } = await change(discountedOrder.id, { customer_email })
    expect([status, json.code]).toEqual([422, 'COUPON_INVALID'])
    reasons.push(json.details.reason)
  }
  expect(reasons).toEqual(['max_uses_per_customer', 'email_not_allowed'])
  expect((await change(discountedOrder.id, { customer_email: 'third@example.com' })).status).toBe(
    200,
  )
  const repeat = orderOf(discountable.id, withCoupon('free@example.com'))
  expect((await tradepost.post('/orders', repeat)).status).toBe(201)
})

test('the address may change within the zone of the rate, and not beyond it', async () => {
  const variants = [{ name: 'M', price_cents: 5, stock_quantity: 9 }]
  const mug = await product(tradepost, { type: 'physical', variants })
  const { rates } = await zone(tradepost)
  const newOrder = await order(tradepost, mug.id, {
    shipping_address: BERLIN,
    shipping_rate_id: rates[0].id,
  })
  const bonn = { ...BERLIN, city: 'Bonn' }
  const { json } = await change(newOrder.id, { shipping_address: bonn })
  expect(json.order).toEqual({
    ...newOrder,
    shipping_address: { ...bonn, line2: null, region: null, postal_code: null, phone: null },
    updated_at: json.order.updated_at,
  })
  for (const shipping_address of [{ ...BERLIN, country: 'FR' }, null]) {
    const refusal = await change(newOrder.id, { shipping_address })
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'shipping_address'])
  }
  expect(await getOrder(newOrder.id)).toEqual(json.order)
})

test('the buyer and the address cannot change once an order is paid or has ended', async () => {
  const { id } = await service()
  const paidOrder = await order(tradepost, id, { mark_paid: true })
  const cancelledOrder = await order(tradepost, id)
  await expectSuccess(tradepost.post(`/orders/${cancelledOrder.id}/cancel`))
  for (const [endedOrder, status] of [
    [paidOrder, 'paid'],
    [cancelledOrder, 'cancelled'],
  ]) {
    for (const patch of [{ customer_email: 'x@example.com' }, { shipping_address: BERLIN }]) {
      const { json } = await change(endedOrder.id, { note: 'x', ...patch })
      expect([json.code, json.details.status]).toEqual(['INVALID_STATE', status])
    }
    expect((await getOrder(endedOrder.id)).note).toBeNull()
  }
})

test("a bad field, a missing permission and another store's order are refused", async () => {
  const { id } = await service()
  const newOrder = await order(tradepost, id)
  for (const [patch, field] of [
    [{ status: 'paid' }, 'status'],
    [{ note: 7 }, 'note'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ customer_email: 'nobody' }, 'customer_email'],
    [{ customer_email: null }, 'customer_email'],
    [{ shipping_address: { city: 'Berlin' } }, 'shipping_address.name'],
  ]) {
    const { status, json } = await change(newOrder.id, patch)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  }
  const as = await tradepost.key({ permissions: ['orders:read'] })
  expect((await change(newOrder.id, { note: 'x' }, { as })).json.code).toBe('INSUFFICIENT_SCOPE')
  expect((await change(newOrder.id, { note: 'x' }, { as: tradepost.other })).status).toBe(404)
  expect(await getOrder(newOrder.id)).toEqual(newOrder)
})
