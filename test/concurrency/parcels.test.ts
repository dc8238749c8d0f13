import { expect, test } from 'vitest'
import { call, postUntilAnswered, type Target } from '../process/client.ts'
import { eventCounts } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

const database = sharedDatabase()

/** Creates a paid order of five mugs that are not shipped yet. */
async function createOrderOfFiveMugs(target: Target) {
  const variants = [{ name: 'Red', stock_mode: 'unlimited' }]
  const body = { name: 'Mug', type: 'physical', price_cents: 1_000, variants }
  const { json } = await call(target, 'POST', '/products', { body })
  const created = await postUntilAnswered(
    target,
    '/orders',
    {
      items: [{ product_id: json.product.id, quantity: 5 }],
      customer: { email: 'ada@example.com' },
      mark_paid: true,
    },
    'order',
  )
  return created.json.order
}

test('if 20 concurrent calls each ship one of five mugs, five succeed and the order is completed once', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const { id, items } = await createOrderOfFiveMugs(target)
  const body = { items: [{ order_item_id: items[0].id, quantity: 1 }] }
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      postUntilAnswered(target, `/orders/${id}/fulfillments`, body, `fulfillment-${n}`),
    ),
  )
  const createdFulfillments = replies.filter(({ status }) => status === 201)
  expect(createdFulfillments).toHaveLength(5)
  const fields = replies.map(({ json }) => json.details?.field).filter(Boolean)
  expect(fields).toEqual(new Array(15).fill('items[0].quantity'))
  const { json } = await call(target, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
  expect(await eventCounts(tradepost)).toMatchObject({ 'order.completed': 1 })
  await database.expectNoFaults()
})

test('an order is completed once while its fulfillments are concurrently cancelled, delivered and created', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const { id, items } = await createOrderOfFiveMugs(target)
  const body = { items: [{ order_item_id: items[0].id, quantity: 1 }] }
  const ids: number[] = []
  for (let n = 0; n < 5; n++) {
    const { json } = await postUntilAnswered(
      target,
      `/orders/${id}/fulfillments`,
      body,
      `fulfillment-${n}`,
    )
    ids.push(json.fulfillment.id)
  }
  await Promise.all(
    ids.flatMap((fulfillmentId, n) => [
      postUntilAnswered(target, `/fulfillments/${fulfillmentId}/cancel`, {}, `cancel-${n}`),
      call(target, 'PATCH', `/fulfillments/${fulfillmentId}`, {
        body: { shipment_status: 'delivered' },
      }),
      postUntilAnswered(target, `/orders/${id}/fulfillments`, {}, `new-${n}`),
    ]),
  )
  await postUntilAnswered(target, `/orders/${id}/fulfillments`, {}, 'last')
  const { json } = await call(target, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
  expect(await eventCounts(tradepost)).toMatchObject({ 'order.completed': 1 })
  await database.expectNoFaults()
})
