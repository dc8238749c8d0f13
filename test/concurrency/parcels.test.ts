import { expect, test } from 'vitest'
import { call, insist, type Target } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { eventCounts } from './put-on-sale.ts'

const raceStore = sharedRaceStore()

/** A paid order of five mugs, to be shipped. */
async function mugs(target: Target) {
  const variants = [{ name: 'Red', stock_mode: 'unlimited' }]
  const body = { name: 'Mug', type: 'physical', price_cents: 1_000, variants }
  const { json } = await call(target, 'POST', '/products', { body })
  const made = await insist(
    target,
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

test('of 20 parcels at once, each with one of five mugs, five are created, and complete the order once', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const [target] = tradepost.targets
  const { id, items } = await mugs(target)
  const body = { items: [{ order_item_id: items[0].id, quantity: 1 }] }
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      insist(target, `/orders/${id}/fulfillments`, body, `parcel-${n}`),
    ),
  )
  const sent = replies.filter(({ status }) => status === 201)
  expect(sent).toHaveLength(5)
  const fields = replies.map(({ json }) => json.details?.field).filter(Boolean)
  expect(fields).toEqual(new Array(15).fill('items[0].quantity'))
  const { json } = await call(target, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
  expect(await eventCounts(tradepost)).toMatchObject({ 'order.completed': 1 })
  await raceStore.expectSweepClean()
})

test('parcels that are cancelled, arrive and are sent again at once leave consistent counts of the order', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const [target] = tradepost.targets
  const { id, items } = await mugs(target)
  const body = { items: [{ order_item_id: items[0].id, quantity: 1 }] }
  const ids: number[] = []
  for (let n = 0; n < 5; n++) {
    const { json } = await insist(target, `/orders/${id}/fulfillments`, body, `parcel-${n}`)
    ids.push(json.fulfillment.id)
  }
  await Promise.all(
    ids.flatMap((parcel, n) => [
      insist(target, `/fulfillments/${parcel}/cancel`, {}, `cancel-${n}`),
      call(target, 'PATCH', `/fulfillments/${parcel}`, { body: { shipment_status: 'delivered' } }),
      insist(target, `/orders/${id}/fulfillments`, {}, `rest-${n}`),
    ]),
  )
  await insist(target, `/orders/${id}/fulfillments`, {}, 'last')
  const { json } = await call(target, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
  expect(await eventCounts(tradepost)).toMatchObject({ 'order.completed': 1 })
  await raceStore.expectSweepClean()
})
