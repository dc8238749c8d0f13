import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product, zone } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { diagnose } from '../../installation/doctor/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  const { findings } = await diagnose(tradepost.app)
  await tradepost.close()
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
})

const readOrder = async (id: string): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`)).json.order
const ship = (id: string, body: Json = {}, options = {}) =>
  tradepost.post(`/orders/${id}/fulfillments`, body, options)
const change = (id: number, body: Json) => tradepost.patch(`/fulfillments/${id}`, body)
const cancel = (id: number) => tradepost.post(`/fulfillments/${id}/cancel`)

async function mug(stock = 100) {
  const variants = [{ name: 'Red', stock_quantity: stock }]
  return product(tradepost, { name: 'Mug', type: 'physical', variants })
}

/** A paid order of mugs, nothing of it sent. */
async function paid(quantity = 3, fields: Json = {}): Promise<Json> {
  const { id } = await mug()
  const items = [{ product_id: id, quantity }]
  const made = await order(tradepost, id, { items, mark_paid: true, ...fields })
  expect(made).toMatchObject({ status: 'paid', fulfillment_status: 'unfulfilled' })
  await tradepost.events()
  return made
}
const some = (made: Json, quantity: number) => ({
  items: [{ order_item_id: made.items[0].id, quantity }],
})

describe('a parcel', () => {
  test('of all that is left completes its order, which emits one event', async () => {
    const made = await paid()
    const { status, json } = await ship(made.id)
    expect(status).toBe(201)
    const { fulfillment } = json
    expect(fulfillment).toEqual({
      id: expect.any(Number),
      object: 'fulfillment',
      order_id: made.id,
      status: 'shipped',
      shipment_status: null,
      location_id: null,
      carrier_code: 'custom',
      tracking_number: null,
      tracking_url: null,
      items: [{ order_item_id: made.items[0].id, quantity: 3 }],
      shipped_at: fulfillment.created_at,
      delivered_at: null,
      created_at: expect.any(String),
      updated_at: fulfillment.created_at,
    })
    const after = await readOrder(made.id)
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
    await change(fulfillment.id, { shipment_status: 'delivered' })
    expect(await tradepost.events()).toEqual([])
  })

  test('of a part leaves the rest, and never more than was bought', async () => {
    const made = await paid()
    const over = await ship(made.id, some(made, 4))
    expect([over.status, over.json.details]).toEqual([422, { field: 'items[0].quantity' }])
    expect((await ship(made.id, some(made, 2))).status).toBe(201)
    expect(await readOrder(made.id)).toMatchObject({
      status: 'paid',
      fulfillment_status: 'partial',
    })
    const again = await ship(made.id, some(made, 2))
    expect([again.status, again.json.details]).toEqual([422, { field: 'items[0].quantity' }])
    expect((await ship(made.id)).json.fulfillment.items).toEqual(some(made, 1).items)
    expect(await readOrder(made.id)).toMatchObject({ status: 'completed' })
    const none = await ship(made.id)
    expect([none.status, none.json.details]).toEqual([422, { field: 'items' }])
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('names physical lines of its own order, each once', async () => {
    const [made, other] = [await paid(), await paid()]
    const [one] = some(made, 1).items
    for (const [items, field] of [
      [some(other, 1).items, 'items[0].order_item_id'],
      [[one, one], 'items[1].order_item_id'],
      [[{ ...one, quantity: 0 }], 'items[0].quantity'],
      [[], 'items'],
    ] as const) {
      const { status, json } = await ship(made.id, { items })
      expect([status, json.details?.field]).toEqual([422, field])
    }
    const key = await product(tradepost, {}, { keys: keysNamed('UNSHIPPED', 1) })
    const digital = await order(tradepost, key.id, { mark_paid: true })
    const { status, json } = await ship(digital.id, some(digital, 1))
    expect([status, json.details?.field]).toEqual([422, 'items[0].order_item_id'])
  })

  test('is sent for paid units only, and by the store that sold it', async () => {
    const { id } = await mug()
    await zone(tradepost)
    const [rate] = (await tradepost.get('/shipping/zones')).json.zones[0].rates
    const address = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }
    const to = { shipping_address: address, shipping_rate_id: rate.id }
    const unpaid = await order(tradepost, id, to)
    const refused = await ship(unpaid.id)
    expect([refused.status, refused.json.code]).toEqual([409, 'INVALID_STATE'])
    expect(refused.json.details).toEqual({ status: 'pending' })

    const made = await paid()
    await tradepost.post(`/orders/${made.id}/refund`)
    expect((await ship(made.id)).json.details).toEqual({ status: 'refunded' })
    const mine = (await ship((await paid()).id)).json.fulfillment
    for (const as of [tradepost.other, tradepost.test]) {
      expect((await ship(made.id, {}, { as })).status).toBe(404)
      expect((await tradepost.get(`/fulfillments/${mine.id}`, { as })).status).toBe(404)
    }
  })

  test('goes by the carrier of the rate, and from the default location', async () => {
    const { id } = await mug()
    const rates = [{ name: 'Post', calc_type: 'flat', price_cents: 500, carrier_code: 'dhl' }]
    const { rates: made } = await zone(tradepost, { name: 'Far', countries: ['FR'], rates })
    const depot = { name: 'Depot', line1: 'Street 1', city: 'Berlin', country: 'DE' }
    const { location } = (await tradepost.post('/shipping/locations', depot)).json
    const address = { name: 'Ada', line1: 'Rue 1', city: 'Paris', country: 'FR' }
    const to = { shipping_address: address, shipping_rate_id: made[0].id, mark_paid: true }
    const sold = await order(tradepost, id, to)
    const parcel = (await ship(sold.id)).json.fulfillment
    expect(parcel).toMatchObject({ carrier_code: 'dhl', location_id: location.id })
    const path = `/shipping/locations/${location.id}`
    await tradepost.patch(path, { active: false })
    const resting = await paid()
    const refused = await ship(resting.id, { location_id: location.id })
    expect([refused.status, refused.json.details]).toEqual([422, { field: 'location_id' }])
    expect((await ship(resting.id)).json.fulfillment.location_id).toBeNull()
    await tradepost.delete(path)
    expect(
      (await tradepost.get(`/fulfillments/${parcel.id}`)).json.fulfillment.location_id,
    ).toBeNull()
    const nowhere = await ship((await paid()).id, { location_id: location.id })
    expect([nowhere.status, nowhere.json.details]).toEqual([422, { field: 'location_id' }])
  })

  test('whose label was printed counts once it left', async () => {
    const made = await paid()
    const { fulfillment } = (await ship(made.id, { shipment_status: 'label_printed' })).json
    expect(fulfillment).toMatchObject({ status: 'open', shipped_at: null })
    expect(await readOrder(made.id)).toMatchObject({
      status: 'paid',
      fulfillment_status: 'unfulfilled',
    })
    expect((await ship(made.id)).json.details).toEqual({ field: 'items' })
    const left = await change(fulfillment.id, { shipment_status: 'in_transit' })
    expect(left.json.fulfillment).toMatchObject({
      status: 'shipped',
      shipped_at: left.json.fulfillment.updated_at,
    })
    expect(await readOrder(made.id)).toMatchObject({ status: 'completed' })
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('that was called off can be sent anew, and the order is completed once', async () => {
    const made = await paid(1)
    const { fulfillment } = (await ship(made.id)).json
    expect((await cancel(fulfillment.id)).json.fulfillment.status).toBe('cancelled')
    expect(await readOrder(made.id)).toMatchObject({
      status: 'completed',
      fulfillment_status: 'unfulfilled',
    })
    const twice = await cancel(fulfillment.id)
    expect([twice.status, twice.json.details]).toEqual([409, { status: 'cancelled' }])
    expect((await change(fulfillment.id, { tracking_number: '1' })).status).toBe(409)
    expect((await ship(made.id)).status).toBe(201)
    expect(await readOrder(made.id)).toMatchObject({ fulfillment_status: 'fulfilled' })
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('moves on as its carrier says, and not back', async () => {
    const made = await paid(1)
    const { id } = (await ship(made.id)).json.fulfillment
    const to = async (shipment_status: string | null) => {
      const { status, json } = await change(id, { shipment_status })
      return status === 200 ? json.fulfillment.status : json.details.status
    }
    expect(await to('label_printed')).toBe('shipped')
    expect(await to('out_for_delivery')).toBe('shipped')
    expect(await to('failure')).toBe('failed')
    expect(await readOrder(made.id)).toMatchObject({ fulfillment_status: 'unfulfilled' })
    expect(await to('attempted_delivery')).toBe('shipped')
    expect(await to(null)).toBe('shipped')
    expect(await to('delivered')).toBe('delivered')
    const { json } = await change(id, { shipment_status: 'in_transit' })
    expect([json.code, json.details]).toEqual(['INVALID_STATE', { status: 'delivered' }])
    const { fulfillment } = (await tradepost.get(`/fulfillments/${id}`)).json
    expect(fulfillment.delivered_at).not.toBeNull()
    expect((await cancel(id)).json.details).toEqual({ status: 'delivered' })
  })

  test('keeps omitted fields, and null clears', async () => {
    const made = await paid(1)
    const tracking = { tracking_number: 'T-1', tracking_url: 'https://carrier.example/T-1' }
    const { id } = (await ship(made.id, { ...tracking, carrier_code: 'ups' })).json.fulfillment
    expect((await change(id, {})).json.fulfillment).toMatchObject({
      ...tracking,
      carrier_code: 'ups',
    })
    const cleared = (await change(id, { tracking_number: null, tracking_url: null })).json
    expect(cleared.fulfillment).toMatchObject({
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

test('a line that waits for stock is shipped once the stock is there', async () => {
  const { id, variantId } = await mug(1)
  await tradepost.patch(`/products/${id}/variants/${variantId}`, { allow_backorder: true })
  const items = [{ product_id: id, quantity: 2 }]
  const made = await order(tradepost, id, { items, mark_paid: true })
  const short = await ship(made.id)
  expect([short.status, short.json.code]).toEqual([409, 'OUT_OF_STOCK'])
  expect(short.json.details).toMatchObject({ product_id: id, available: 1 })
  await tradepost.patch(`/products/${id}/variants/${variantId}/stock`, { delta: 1 })
  await tradepost.events()
  expect((await ship(made.id, some(made, 1))).status).toBe(201)
  expect((await ship(made.id, some(made, 1))).status).toBe(201)
  expect(await tradepost.events()).toContain('order.completed')
  const { stock } = (await tradepost.get(`/products/${id}/variants/${variantId}/stock`)).json
  expect(stock).toMatchObject({ on_hand: 0, reserved: 0, sold: 2 })
})

test('an order of a parcel and a service waits for both', async () => {
  const [a, b] = [await mug(), await product(tradepost, { type: 'service' })]
  const items = [a, b].map(({ id }) => ({ product_id: id, quantity: 1 }))
  const made = await order(tradepost, a.id, { items, mark_paid: true })
  await ship(made.id)
  expect(await readOrder(made.id)).toMatchObject({
    status: 'paid',
    fulfillment_status: 'fulfilled',
  })
  const body = { order_item_id: made.items[1].id, text: 'Monday at 10.' }
  expect((await tradepost.post(`/orders/${made.id}/deliveries`, body)).json.order.status).toBe(
    'completed',
  )
})

test('the customer is written to where the seller says so', async () => {
  const mails = async (email: string) =>
    (
      await sql<{ status: string }>`
        select status from mail where recipient = ${email}`.execute(tradepost.db)
    ).rows.length
  const [notified, quiet] = ['told@example.com', 'quiet@example.com']
  await ship((await paid(1, { customer: { email: notified } })).id, { notify_customer: true })
  await ship((await paid(1, { customer: { email: quiet } })).id)
  expect([await mails(notified), await mails(quiet)]).toEqual([1, 0])
})

test('the list has filters and pages', async () => {
  const made = await paid()
  const ids: number[] = []
  for (let n = 0; n < 3; n++) ids.unshift((await ship(made.id, some(made, 1))).json.fulfillment.id)
  await cancel(ids[0] as number)
  const list = async (query: string) => {
    const { json } = await tradepost.get(`/fulfillments?order_id=${made.id}&${query}`)
    return [json.fulfillments.map(({ id }: Json) => id), json.pagination.total]
  }
  expect(await list('')).toEqual([ids, 3])
  expect(await list('status=shipped,open')).toEqual([ids.slice(1), 2])
  expect(await list('limit=1&offset=1')).toEqual([[ids[1]], 3])
  const { status, json } = await tradepost.get('/fulfillments?status=lost')
  expect([status, json.details.field]).toEqual([422, 'status'])
})
