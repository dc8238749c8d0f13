import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../test/build.ts'
import { openTradepost, type Tradepost } from '../../../test/harness.ts'

let shop: Tradepost

beforeAll(async () => {
  shop = await openTradepost()
})
afterAll(() => shop.close())

test('a paid order hands over the oldest keys, and tells of it', async () => {
  const game = await product(shop, {}, { keys: keysNamed('GAME-ABCDEFGH', 3) })
  await shop.events()
  const made = await order(shop, game.id, { items: [{ product_id: game.id, quantity: 2 }] })
  expect(made).toMatchObject({ status: 'pending', total_cents: 2000, number: 1 })
  expect(await shop.events()).toEqual(['customer.created', 'order.created'])

  const { status, json } = await shop.post(`/orders/${made.id}/manual-payments`, {})
  expect(status).toBe(201)
  expect(json.order).toMatchObject({
    status: 'completed',
    paid_cents: 2000,
    payment_method: 'manual',
    deliveries: [{ status: 'delivered', keys: ['GAME-ABCDEFGH-000001', 'GAME-ABCDEFGH-000002'] }],
  })
  expect(await shop.events()).toEqual(['order.completed'])
})

test('a sale costs few statements', async () => {
  const game = await product(shop, {}, { keys: keysNamed('COST-ABCDEFGH', 3) })
  const one = await shop.statements(() => shop.get(`/products/${game.id}`))
  expect(one.length).toBeLessThanOrEqual(2)
  const list = await shop.statements(() => shop.get('/products?limit=25'))
  expect(list.length).toBeLessThanOrEqual(3)
  let id = ''
  const create = await shop.statements(async () => {
    id = (await order(shop, game.id)).id
  })
  expect(create.length).toBeLessThanOrEqual(12)
  const pay = await shop.statements(() => shop.post(`/orders/${id}/manual-payments`, {}))
  expect(pay.length).toBeLessThanOrEqual(14)
  console.info({ one: one.length, list: list.length, create: create.length, pay: pay.length })
})
