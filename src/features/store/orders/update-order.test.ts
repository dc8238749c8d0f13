import { afterAll, beforeAll, expect, test } from 'vitest'
import { coupon, order, product, zone } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const service = (fields: Json = {}) => product(tradepost, { type: 'service', ...fields })
const change = (id: string, body: Json, options = {}) =>
  tradepost.patch(`/orders/${id}`, body, options)
const read = async (id: string): Promise<Json> => (await tradepost.get(`/orders/${id}`)).json.order
const BERLIN = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }

test('note and metadata change at any time, omitted fields stay, null clears the note', async () => {
  const { id } = await service()
  const made = await order(tradepost, id, { mark_paid: true, metadata: { a: '1' } })
  await tradepost.events()
  tradepost.forward(1000)
  const first = await change(made.id, { note: 'Line 1\nLine 2', metadata: { b: '2' } })
  expect(first.status).toBe(200)
  const { updated_at } = first.json.order
  expect(first.json.order).toEqual({
    ...made,
    note: 'Line 1\nLine 2',
    metadata: { b: '2' },
    updated_at,
  })
  expect(updated_at > made.updated_at).toBe(true)
  const { json } = await change(made.id, { note: null })
  expect(json.order).toMatchObject({ note: null, metadata: { b: '2' } })
  expect(await read(made.id)).toEqual(json.order)
  expect(await tradepost.events()).toEqual([])
})

test('another email moves an unpaid order to that customer, who is created with an event if new', async () => {
  const { id } = await service()
  const made = await order(tradepost, id)
  await tradepost.events()
  const { json } = await change(made.id, { customer_email: 'New@example.com' })
  expect(json.order.customer).toMatchObject({ email: 'new@example.com' })
  expect(json.order.customer.id).not.toBe(made.customer.id)
  expect(await tradepost.events()).toEqual(['customer.created'])
  for (const query of ['email=new@example.com', 'search=NEW@ex']) {
    const { orders } = (await tradepost.get(`/orders?${query}`)).json
    expect(orders.map((item: Json) => item.id)).toEqual([made.id])
  }
  await change(made.id, { customer_email: 'new@example.com' })
  expect(await tradepost.events()).toEqual([])
})

test('limits of a customer hold for an order that comes to them', async () => {
  const { id } = await service({ sell_limit: 1 })
  await order(tradepost, id, { customer: { email: 'full@example.com' } })
  const made = await order(tradepost, id, { customer: { email: 'free@example.com' } })
  const refused = await change(made.id, { customer_email: 'full@example.com' })
  expect([refused.status, refused.json.details.field]).toEqual([422, 'items[0].quantity'])

  const plain = await service()
  const { code } = await coupon(tradepost, {
    max_uses_per_customer: 1,
    allowed_emails: ['full@example.com', 'free@example.com', 'third@example.com'],
  })
  const by = (email: string) => ({ coupon_code: code, customer: { email } })
  await order(tradepost, plain.id, by('full@example.com'))
  const reduced = await order(tradepost, plain.id, by('free@example.com'))
  const reasons = []
  for (const customer_email of ['full@example.com', 'stranger@example.com']) {
    const { status, json } = await change(reduced.id, { customer_email })
    expect([status, json.code]).toEqual([422, 'COUPON_INVALID'])
    reasons.push(json.details.reason)
  }
  expect(reasons).toEqual(['max_uses_per_customer', 'email_not_allowed'])
  expect((await change(reduced.id, { customer_email: 'third@example.com' })).status).toBe(200)
  expect(
    (await tradepost.post('/orders', { ...(await body(plain.id)), ...by('free@example.com') }))
      .status,
  ).toBe(201)
})

const body = async (id: string) => ({ items: [{ product_id: id, quantity: 1 }] })

test('an address changes within the zone of the rate', async () => {
  const variants = [{ name: 'M', price_cents: 5, stock_quantity: 9 }]
  const mug = await product(tradepost, { type: 'physical', variants })
  const { rates } = await zone(tradepost)
  const made = await order(tradepost, mug.id, {
    shipping_address: BERLIN,
    shipping_rate_id: rates[0].id,
  })
  const bonn = {
    ...BERLIN,
    city: 'Bonn',
    line2: null,
    region: null,
    postal_code: null,
    phone: null,
  }
  const { json } = await change(made.id, { shipping_address: { ...BERLIN, city: 'Bonn' } })
  expect(json.order).toEqual({ ...made, shipping_address: bonn, updated_at: json.order.updated_at })
  for (const shipping_address of [{ ...BERLIN, country: 'FR' }, null]) {
    const refused = await change(made.id, { shipping_address })
    expect([refused.status, refused.json.details.field]).toEqual([422, 'shipping_address'])
  }
  expect(await read(made.id)).toEqual(json.order)
})

test('the buyer and the address are fixed once an order is paid or has ended', async () => {
  const { id } = await service()
  const paid = await order(tradepost, id, { mark_paid: true })
  const gone = await order(tradepost, id)
  await tradepost.post(`/orders/${gone.id}/cancel`)
  for (const [made, status] of [
    [paid, 'paid'],
    [gone, 'cancelled'],
  ]) {
    for (const patch of [{ customer_email: 'x@example.com' }, { shipping_address: BERLIN }]) {
      const { json } = await change(made.id, { note: 'x', ...patch })
      expect([json.code, json.details.status]).toEqual(['INVALID_STATE', status])
    }
    expect((await read(made.id)).note).toBeNull()
  }
})

test('a bad field, a missing permission and another store’s order are refused', async () => {
  const { id } = await service()
  const made = await order(tradepost, id)
  for (const [patch, field] of [
    [{ status: 'paid' }, 'status'],
    [{ note: 7 }, 'note'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ customer_email: 'nobody' }, 'customer_email'],
    [{ customer_email: null }, 'customer_email'],
    [{ shipping_address: { city: 'Berlin' } }, 'shipping_address.name'],
  ]) {
    const { status, json } = await change(made.id, patch)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  }
  const as = await tradepost.key({ permissions: ['orders:read'] })
  expect((await change(made.id, { note: 'x' }, { as })).json.code).toBe('INSUFFICIENT_SCOPE')
  expect((await change(made.id, { note: 'x' }, { as: tradepost.other })).status).toBe(404)
  expect(await read(made.id)).toEqual(made)
})
