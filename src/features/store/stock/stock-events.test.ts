import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeys, type CreatedProduct, keysNamed, order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { expireOrdersJob } from '../payments/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

async function stockEvents(): Promise<string[]> {
  return (await tradepost.events()).filter((type) => type.startsWith('product.'))
}

const buy = (game: CreatedProduct, quantity = 1, fields: Json = {}) =>
  order(tradepost, game.id, { items: [{ product_id: game.id, quantity }], ...fields })

test('product.out_of_stock is emitted by the order that reserves the last unit, and not by its payment', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('EDGE', 2) })
  await stockEvents()
  await buy(game)
  expect(await stockEvents()).toEqual([])
  const lastOrder = await buy(game)
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
  const [payload] = (await tradepost.payloads('product.out_of_stock')).slice(-1)
  expect(payload.data.object).toEqual({
    object: 'product',
    id: game.id,
    name: 'Game',
    slug: game.product.product.slug,
    status: 'active',
    stock: 0,
  })
  await expectSuccess(tradepost.post(`/orders/${lastOrder.id}/manual-payments`, {}))
  expect(await stockEvents()).toEqual([])
})

test('a cancelled order emits no product.restocked, and its stock can run out again', async () => {
  const game = await product(tradepost, {}, { keys: ['BACK-0001'] })
  const newOrder = await buy(game)
  await stockEvents()
  await expectSuccess(tradepost.post(`/orders/${newOrder.id}/cancel`))
  expect(await stockEvents()).toEqual([])
  await buy(game)
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
})

test('a product is out of stock when its last active variant is out of stock', async () => {
  const variants = [{ name: 'A' }, { name: 'B' }, { name: 'Off', active: false }]
  const game = await product(tradepost, { variants }, { keys: ['VAR-A-0001'] })
  const [first, second, inactive] = game.product.variants.map((item: Json) => item.id)
  await addKeys(tradepost, { id: game.id, variantId: second }, ['VAR-B-0001'])
  await addKeys(tradepost, { id: game.id, variantId: inactive }, ['VAR-C-0001'])
  await stockEvents()
  const items = (variant_id: number) => ({
    items: [{ product_id: game.id, variant_id, quantity: 1 }],
  })
  await order(tradepost, game.id, items(first))
  expect(await stockEvents()).toEqual([])
  await order(tradepost, game.id, items(second))
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
})

test('one order that empties several variants of a product emits one product.out_of_stock', async () => {
  const variants = [{ name: 'A' }, { name: 'B' }]
  const game = await product(tradepost, { variants }, { keys: ['BOTH-A-0001'] })
  const [first, second] = game.product.variants.map((item: Json) => item.id)
  await addKeys(tradepost, { id: game.id, variantId: second }, ['BOTH-B-0001'])
  await stockEvents()
  const items = [first, second].map((variant_id) => ({
    product_id: game.id,
    variant_id,
    quantity: 1,
  }))
  await order(tradepost, game.id, { items })
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
})

test.each([
  ['has a service variant', { name: 'B', delivery_type: 'service' }],
  ['has a variant that is not tracked', { name: 'B', track_inventory: false }],
])('a product that %s never runs out', async (_, variant) => {
  const game = await product(
    tradepost,
    { variants: [{ name: 'A' }, variant] },
    { keys: ['ENDLESS-0001'] },
  )
  await stockEvents()
  await buy(game)
  expect(await stockEvents()).toEqual([])
})

test('a refused order emits no event', async () => {
  const game = await product(tradepost, {}, { keys: ['FEW-0001'] })
  await tradepost.events()
  const body = {
    items: [{ product_id: game.id, quantity: 2 }],
    customer: { email: 'x@example.com' },
  }
  expect((await tradepost.post('/orders', body)).json.code).toBe('OUT_OF_STOCK')
  expect(await tradepost.events()).toEqual([])
})

test('a late payment that takes the last unit emits product.out_of_stock again', async () => {
  const game = await product(tradepost, {}, { keys: ['LATE-0001'] })
  const expiredOrder = await buy(game)
  tradepost.forward(HOUR_MS)
  await expireOrdersJob.run(tradepost.app)
  await stockEvents()
  const { json } = await tradepost.post(`/orders/${expiredOrder.id}/manual-payments`, {})
  expect(json.order.status).toBe('completed')
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
})

test('a paid backorder that takes the last of the new keys emits product.out_of_stock', async () => {
  const variants = [{ name: 'A', allow_backorder: true }]
  const game = await product(tradepost, { variants })
  const backorder = await buy(game, 2)
  await addKeys(tradepost, game, keysNamed('LOAD', 2))
  await stockEvents()
  const { json } = await tradepost.post(`/orders/${backorder.id}/manual-payments`, {})
  expect(json.order.status).toBe('completed')
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
})
