import { expect, test } from 'vitest'
import { call, type Door, insist } from '../process/client.ts'
import { marketForAll } from './market-for-all.ts'
import { eventCounts } from './shelf.ts'

const market = marketForAll()

/** A paid order of five mugs, to be shipped. */
async function mugs(door: Door) {
  const variants = [{ name: 'Red', stock_mode: 'unlimited' }]
  const body = { name: 'Mug', type: 'physical', price_cents: 1_000, variants }
  const { json } = await call(door, 'POST', '/products', { body })
  const made = await insist(
    door,
    '/orders',
    {
      items: [{ product_id: json.product.id, quantity: 5 }],
      customer: { email: 'ada@example.com' },
      mark_paid: true,
    },
    'order',
  )
  return made.json.order
}

test('of 20 parcels at once five leave with one of five mugs each, and complete the order once', async (context) => {
  const shop = await market.openShop(context)
  const [door] = shop.doors
  const { id, items } = await mugs(door)
  const body = { items: [{ order_item_id: items[0].id, quantity: 1 }] }
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      insist(door, `/orders/${id}/fulfillments`, body, `parcel-${n}`),
    ),
  )
  const sent = replies.filter(({ status }) => status === 201)
  expect(sent).toHaveLength(5)
  const fields = replies.map(({ json }) => json.details?.field).filter(Boolean)
  expect(fields).toEqual(new Array(15).fill('items[0].quantity'))
  const { json } = await call(door, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
  expect(await eventCounts(shop)).toMatchObject({ 'order.completed': 1 })
  await market.expectSweepClean()
}, 60_000)

test('parcels that are called off, arrive and are sent anew at once leave an order that adds up', async (context) => {
  const shop = await market.openShop(context)
  const [door] = shop.doors
  const { id, items } = await mugs(door)
  const body = { items: [{ order_item_id: items[0].id, quantity: 1 }] }
  const ids: number[] = []
  for (let n = 0; n < 5; n++) {
    const { json } = await insist(door, `/orders/${id}/fulfillments`, body, `parcel-${n}`)
    ids.push(json.fulfillment.id)
  }
  await Promise.all(
    ids.flatMap((parcel, n) => [
      insist(door, `/fulfillments/${parcel}/cancel`, {}, `cancel-${n}`),
      call(door, 'PATCH', `/fulfillments/${parcel}`, { body: { shipment_status: 'delivered' } }),
      insist(door, `/orders/${id}/fulfillments`, {}, `rest-${n}`),
    ]),
  )
  await insist(door, `/orders/${id}/fulfillments`, {}, 'last')
  const { json } = await call(door, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
  expect(await eventCounts(shop)).toMatchObject({ 'order.completed': 1 })
  await market.expectSweepClean()
}, 60_000)
