import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeys, type CreatedProduct, order, product } from '../../../../test/build.ts'
import {
  type CallOptions,
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost
let game: CreatedProduct

beforeAll(async () => {
  tradepost = await openTradepost()
  game = await product(tradepost, {}, { keys: ['SOLD-1', 'SOLD-2'] })
})
afterAll(() => tradepost.close())

const createSoldOrder = (fields: Json = {}, ofProduct = game): Promise<Json> =>
  order(tradepost, ofProduct.id, { mark_paid: true, ...fields })

async function findOrders(search: string, options: CallOptions = {}): Promise<string[]> {
  const query = new URLSearchParams({ search })
  const { status, json } = await tradepost.get(`/orders?${query}`, options)
  expect(status).toBe(200)
  expect(json.pagination.total).toBe(json.orders.length)
  return json.orders.map(({ id }: Json) => id)
}

test('search finds an order by a complete stock key, and not by a part of the key', async () => {
  const [first, second] = [await createSoldOrder(), await createSoldOrder()]
  expect(await findOrders('SOLD-1')).toEqual([first.id])
  expect(await findOrders('SOLD-2')).toEqual([second.id])
  for (const text of ['SOLD-', 'sold-1', 'SOLD-1 '])
    expect(await findOrders(text), text).toEqual([])
})

test('a search by a key combines with other filters, and also finds a part of an email', async () => {
  await addKeys(tradepost, game, ['bob'])
  const orderOfKey = await createSoldOrder({ customer: { email: 'cy@example.com' } })
  const orderOfEmail = await createSoldOrder({
    customer: { email: 'bob@example.com' },
    items: [{ product_id: (await product(tradepost, { type: 'service' })).id, quantity: 1 }],
  })
  expect(await findOrders('bob')).toEqual([orderOfEmail.id, orderOfKey.id])
  const { json } = await tradepost.get('/orders?search=bob&email=cy@example.com')
  expect(json.orders.map(({ id }: Json) => id)).toEqual([orderOfKey.id])
})

test('search finds an order by a key that was replaced or restocked', async () => {
  await addKeys(tradepost, game, ['BAD-1', 'GOOD-1'])
  const orderWithReplacement = await createSoldOrder()
  const [delivery] = orderWithReplacement.deliveries
  await expectSuccess(
    tradepost.post(`/orders/${orderWithReplacement.id}/deliveries/${delivery.id}/replace`),
  )
  expect(await findOrders('BAD-1')).toEqual([orderWithReplacement.id])
  expect(await findOrders('GOOD-1')).toEqual([orderWithReplacement.id])

  await addKeys(tradepost, game, ['BACK-1'])
  const first = await createSoldOrder()
  const refund = await tradepost.post(`/orders/${first.id}/refund`, { restock: true })
  expect(refund.status).toBe(201)
  expect(await findOrders('BACK-1')).toEqual([first.id])
  const second = await createSoldOrder()
  expect(await findOrders('BACK-1')).toEqual([second.id, first.id])
})

test('search by a key finds only orders of the same store and side, and needs orders:read', async () => {
  const otherGame = await product(tradepost, {}, { keys: ['MINE-1', 'UNSOLD-1'] })
  const newOrder = await createSoldOrder({}, otherGame)
  expect(await findOrders('MINE-1')).toEqual([newOrder.id])
  expect(await findOrders('UNSOLD-1')).toEqual([])
  expect(await findOrders('MINE-1', { as: tradepost.other })).toEqual([])
  expect(await findOrders('MINE-1', { as: tradepost.test })).toEqual([])
  const as = await tradepost.key({ permissions: ['stock:read'] })
  const refusal = await tradepost.get('/orders?search=MINE-1', { as })
  expect([refusal.status, refusal.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
})

test('the search by a key adds one statement to a list of orders', async () => {
  const statements = await tradepost.statements(() => findOrders('SOLD-1'))
  expect(statements.filter((text) => text.includes('from "order"'))).toHaveLength(2)
  expect(statements.filter((text) => text.includes('stock_key'))).toHaveLength(1)
})
