import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product, zone } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
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
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

const readOrder = async (id: string): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`)).json.order
const ship = (id: string, body: Json = {}, options = {}) =>
  tradepost.post(`/orders/${id}/fulfillments`, body, options)
const change = (id: number, body: Json) => tradepost.patch(`/fulfillments/${id}`, body)
const cancel = (id: number) => tradepost.post(`/fulfillments/${id}/cancel`)

async function createMug(stock = 100) {
  const variants = [{ name: 'Red', stock_quantity: stock }]
  return product(tradepost, { name: 'Mug', type: 'physical', variants })
}

/** Creates a paid order of mugs without parcels. */
async function createPaidOrder(quantity = 3, fields: Json = {}): Promise<Json> {
  const { id } = await createMug()
  const items = [{ product_id: id, quantity }]
  const newOrder = await order(tradepost, id, { items, mark_paid: true, ...fields })
  expect(newOrder).toMatchObject({ status: 'paid', fulfillment_status: 'unfulfilled' })
  await tradepost.events()
  return newOrder
}

/** The items of a parcel with units of the first line of an order. */
const unitsOf = (newOrder: Json, quantity: number) => ({
  items: [{ order_item_id: newOrder.items[0].id, quantity }],
})

describe('a parcel', () => {
  test('of all remaining units completes its order, which emits one event', async () => {
    const newOrder = await createPaidOrder()
    const { status, json } = await ship(newOrder.id)
    expect(status).toBe(201)
    const { fulfillment } = json
    expect(fulfillment).toEqual({
      id: expect.any(Number),
      object: 'fulfillment',
      order_id: newOrder.id,
      status: 'shipped',
      shipment_status: null,
      location_id: null,
      carrier_code: 'custom',
      tracking_number: null,
      tracking_url: null,
      items: [{ order_item_id: newOrder.items[0].id, quantity: 3 }],
      shipped_at: fulfillment.created_at,
      delivered_at: null,
      created_at: expect.any(String),
      updated_at: fulfillment.created_at,
    })
    const after = await readOrder(newOrder.id)
    expect(after).toMatchObject({
      status: 'completed',
      fulfillment_status: 'fulfilled',
      completed_at: fulfillment.created_at,
    })
    expect(after.status_history.map((step: Json) => step.status)).toEqual([
      'pending',
      'paid',
      'completed',
    ])
    expect(await tradepost.events()).toEqual(['order.completed'])
    expect((await tradepost.get(`/fulfillments/${fulfillment.id}`)).json.fulfillment).toEqual(
      fulfillment,
    )
    await expectSuccess(change(fulfillment.id, { shipment_status: 'delivered' }))
    expect(await tradepost.events()).toEqual([])
  })

  test('of some units leaves the others to ship, and no unit is shipped twice', async () => {
    const newOrder = await createPaidOrder()
    const tooMany = await ship(newOrder.id, unitsOf(newOrder, 4))
    expect([tooMany.status, tooMany.json.details]).toMatchObject([
      422,
      { field: 'items[0].quantity' },
    ])
    expect((await ship(newOrder.id, unitsOf(newOrder, 2))).status).toBe(201)
    expect(await readOrder(newOrder.id)).toMatchObject({
      status: 'paid',
      fulfillment_status: 'partial',
    })
    const secondParcel = await ship(newOrder.id, unitsOf(newOrder, 2))
    expect([secondParcel.status, secondParcel.json.details]).toMatchObject([
      422,
      { field: 'items[0].quantity' },
    ])
    expect((await ship(newOrder.id)).json.fulfillment.items).toEqual(unitsOf(newOrder, 1).items)
    expect(await readOrder(newOrder.id)).toMatchObject({ status: 'completed' })
    const emptyParcel = await ship(newOrder.id)
    expect([emptyParcel.status, emptyParcel.json.details]).toMatchObject([422, { field: 'items' }])
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('contains physical lines of its own order, each once', async () => {
    const [newOrder, otherOrder] = [await createPaidOrder(), await createPaidOrder()]
    const [item] = unitsOf(newOrder, 1).items
    for (const [items, field] of [
      [unitsOf(otherOrder, 1).items, 'items[0].order_item_id'],
      [[item, item], 'items[1].order_item_id'],
      [[{ ...item, quantity: 0 }], 'items[0].quantity'],
      [[], 'items'],
    ] as const) {
      const { status, json } = await ship(newOrder.id, { items })
      expect([status, json.details?.field]).toEqual([422, field])
    }
    const game = await product(tradepost, {}, { keys: keysNamed('UNSHIPPED', 1) })
    const digitalOrder = await order(tradepost, game.id, { mark_paid: true })
    const { status, json } = await ship(digitalOrder.id, unitsOf(digitalOrder, 1))
    expect([status, json.details?.field]).toEqual([422, 'items[0].order_item_id'])
  })

  test('is created for paid units only, and by the store that sold them', async () => {
    const { id } = await createMug()
    await zone(tradepost)
    const [rate] = (await tradepost.get('/shipping/zones')).json.zones[0].rates
    const address = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }
    const shipping = { shipping_address: address, shipping_rate_id: rate.id }
    const unpaidOrder = await order(tradepost, id, shipping)
    const refusal = await ship(unpaidOrder.id)
    expect([refusal.status, refusal.json.code]).toEqual([409, 'INVALID_STATE'])
    expect(refusal.json.details).toEqual({ status: 'pending' })

    const newOrder = await createPaidOrder()
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/refund`))
    expect((await ship(newOrder.id)).json.details).toEqual({ status: 'refunded' })
    const { fulfillment } = (await ship((await createPaidOrder()).id)).json
    for (const as of [tradepost.other, tradepost.test]) {
      expect((await ship(newOrder.id, {}, { as })).status).toBe(404)
      expect((await tradepost.get(`/fulfillments/${fulfillment.id}`, { as })).status).toBe(404)
    }
  })

  test('has the carrier of the rate and the default location', async () => {
    const { id } = await createMug()
    const rates = [{ name: 'Post', calc_type: 'flat', price_cents: 500, carrier_code: 'dhl' }]
    const newZone = await zone(tradepost, { name: 'Far', countries: ['FR'], rates })
    const depot = { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' }
    const { location } = (await tradepost.post('/shipping/locations', depot)).json
    const address = { name: 'Ada', line1: 'Rue 1', city: 'Paris', country: 'FR' }
    const [rate] = newZone.rates
    const shipping = { shipping_address: address, shipping_rate_id: rate.id, mark_paid: true }
    const frenchOrder = await order(tradepost, id, shipping)
    const parcel = (await ship(frenchOrder.id)).json.fulfillment
    expect(parcel).toMatchObject({ carrier_code: 'dhl', location_id: location.id })
    const path = `/shipping/locations/${location.id}`
    await expectSuccess(tradepost.patch(path, { active: false }))
    const secondOrder = await createPaidOrder()
    const refusal = await ship(secondOrder.id, { location_id: location.id })
    expect([refusal.status, refusal.json.details]).toMatchObject([422, { field: 'location_id' }])
    expect((await ship(secondOrder.id)).json.fulfillment.location_id).toBeNull()
    await expectSuccess(tradepost.delete(path))
    expect(
      (await tradepost.get(`/fulfillments/${parcel.id}`)).json.fulfillment.location_id,
    ).toBeNull()
    const deletedLocation = await ship((await createPaidOrder()).id, { location_id: location.id })
    expect([deletedLocation.status, deletedLocation.json.details]).toMatchObject([
      422,
      { field: 'location_id' },
    ])
  })

  test('with a printed label does not count as shipped until it is shipped', async () => {
    const newOrder = await createPaidOrder()
    const { fulfillment } = (await ship(newOrder.id, { shipment_status: 'label_printed' })).json
    expect(fulfillment).toMatchObject({ status: 'open', shipped_at: null })
    expect(await readOrder(newOrder.id)).toMatchObject({
      status: 'paid',
      fulfillment_status: 'unfulfilled',
    })
    expect((await ship(newOrder.id)).json.details.field).toBe('items')
    const statusChange = await change(fulfillment.id, { shipment_status: 'in_transit' })
    expect(statusChange.json.fulfillment).toMatchObject({
      status: 'shipped',
      shipped_at: statusChange.json.fulfillment.updated_at,
    })
    expect(await readOrder(newOrder.id)).toMatchObject({ status: 'completed' })
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('that is cancelled frees its units for another parcel, and the order is completed once', async () => {
    const newOrder = await createPaidOrder(1)
    const { fulfillment } = (await ship(newOrder.id)).json
    expect((await cancel(fulfillment.id)).json.fulfillment.status).toBe('cancelled')
    expect(await readOrder(newOrder.id)).toMatchObject({
      status: 'completed',
      fulfillment_status: 'unfulfilled',
    })
    const secondCancel = await cancel(fulfillment.id)
    expect([secondCancel.status, secondCancel.json.details]).toEqual([409, { status: 'cancelled' }])
    expect((await change(fulfillment.id, { tracking_number: '1' })).status).toBe(409)
    expect((await ship(newOrder.id)).status).toBe(201)
    expect(await readOrder(newOrder.id)).toMatchObject({ fulfillment_status: 'fulfilled' })
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('follows the reports of its carrier, but never returns to an earlier status', async () => {
    const newOrder = await createPaidOrder(1)
    const { id } = (await ship(newOrder.id)).json.fulfillment
    const statusAfter = async (shipment_status: string | null) => {
      const { status, json } = await change(id, { shipment_status })
      return status === 200 ? json.fulfillment.status : json.details.status
    }
    expect(await statusAfter('label_printed')).toBe('shipped')
    expect(await statusAfter('out_for_delivery')).toBe('shipped')
    expect(await statusAfter('failure')).toBe('failed')
    expect(await readOrder(newOrder.id)).toMatchObject({ fulfillment_status: 'unfulfilled' })
    expect(await statusAfter('attempted_delivery')).toBe('shipped')
    expect(await statusAfter(null)).toBe('shipped')
    expect(await statusAfter('delivered')).toBe('delivered')
    const { json } = await change(id, { shipment_status: 'in_transit' })
    expect([json.code, json.details]).toEqual(['INVALID_STATE', { status: 'delivered' }])
    const { fulfillment } = (await tradepost.get(`/fulfillments/${id}`)).json
    expect(fulfillment.delivered_at).not.toBeNull()
    expect((await cancel(id)).json.details).toEqual({ status: 'delivered' })
  })

  test('keeps omitted fields, and null clears a field', async () => {
    const newOrder = await createPaidOrder(1)
    const tracking = { tracking_number: 'T-1', tracking_url: 'https://carrier.example/T-1' }
    const { id } = (await ship(newOrder.id, { ...tracking, carrier_code: 'ups' })).json.fulfillment
    expect((await change(id, {})).json.fulfillment).toMatchObject({
      ...tracking,
      carrier_code: 'ups',
    })
    const clearedAnswer = (await change(id, { tracking_number: null, tracking_url: null })).json
    expect(clearedAnswer.fulfillment).toMatchObject({
      tracking_number: null,
      tracking_url: null,
      carrier_code: 'ups',
    })
    for (const [body, field] of [
      [{ tracking_url: 'javascript:alert(1)' }, 'tracking_url'],
      [{ carrier_code: null }, 'carrier_code'],
      [{ shipment_status: 'lost' }, 'shipment_status'],
      [{ status: 'delivered' }, 'status'],
    ] as const) {
      const { status, json } = await change(id, body)
      expect([status, json.details?.field]).toEqual([422, field])
    }
  })
})

test('a line that waits for stock can be shipped once the stock arrives', async () => {
  const { id, variantId } = await createMug(1)
  await expectSuccess(
    tradepost.patch(`/products/${id}/variants/${variantId}`, { allow_backorder: true }),
  )
  const items = [{ product_id: id, quantity: 2 }]
  const newOrder = await order(tradepost, id, { items, mark_paid: true })
  const tooMany = await ship(newOrder.id)
  expect([tooMany.status, tooMany.json.code]).toEqual([409, 'OUT_OF_STOCK'])
  expect(tooMany.json.details).toMatchObject({ product_id: id, available: 1 })
  await expectSuccess(tradepost.patch(`/products/${id}/variants/${variantId}/stock`, { delta: 1 }))
  await tradepost.events()
  expect((await ship(newOrder.id, unitsOf(newOrder, 1))).status).toBe(201)
  expect((await ship(newOrder.id, unitsOf(newOrder, 1))).status).toBe(201)
  expect(await tradepost.events()).toContain('order.completed')
  const { stock } = (await tradepost.get(`/products/${id}/variants/${variantId}/stock`)).json
  expect(stock).toMatchObject({ on_hand: 0, reserved: 0, sold: 2 })
})

test('an order with a parcel and a service is completed after both', async () => {
  const [mug, service] = [await createMug(), await product(tradepost, { type: 'service' })]
  const items = [mug, service].map(({ id }) => ({ product_id: id, quantity: 1 }))
  const newOrder = await order(tradepost, mug.id, { items, mark_paid: true })
  await expectSuccess(ship(newOrder.id))
  expect(await readOrder(newOrder.id)).toMatchObject({
    status: 'paid',
    fulfillment_status: 'fulfilled',
  })
  const body = { order_item_id: newOrder.items[1].id, text: 'Monday at 10.' }
  expect((await tradepost.post(`/orders/${newOrder.id}/deliveries`, body)).json.order.status).toBe(
    'completed',
  )
})

test('the customer is mailed about a parcel only if the seller requests it', async () => {
  const countMails = async (email: string) =>
    (
      await sql<{ status: string }>`
        select status from mail where recipient = ${email}`.execute(tradepost.db)
    ).rows.length
  const [mailedEmail, unmailedEmail] = ['mailed@example.com', 'unmailed@example.com']
  await expectSuccess(
    ship((await createPaidOrder(1, { customer: { email: mailedEmail } })).id, {
      notify_customer: true,
    }),
  )
  await expectSuccess(ship((await createPaidOrder(1, { customer: { email: unmailedEmail } })).id))
  expect([await countMails(mailedEmail), await countMails(unmailedEmail)]).toEqual([1, 0])
})

test('fulfillments are listed newest first, filtered by order and status, and paged', async () => {
  const newOrder = await createPaidOrder()
  const ids: number[] = []
  for (let n = 0; n < 3; n++)
    ids.unshift((await ship(newOrder.id, unitsOf(newOrder, 1))).json.fulfillment.id)
  await expectSuccess(cancel(ids[0] as number))
  const listIds = async (query: string) => {
    const { json } = await tradepost.get(`/fulfillments?order_id=${newOrder.id}&${query}`)
    return [json.fulfillments.map(({ id }: Json) => id), json.pagination.total]
  }
  expect(await listIds('')).toEqual([ids, 3])
  expect(await listIds('status=shipped,open')).toEqual([ids.slice(1), 2])
  expect(await listIds('limit=1&offset=1')).toEqual([[ids[1]], 3])
  const { status, json } = await tradepost.get('/fulfillments?status=lost')
  expect([status, json.details.field]).toEqual([422, 'status'])
})
