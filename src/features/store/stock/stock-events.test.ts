import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeys, keysNamed, order, product, type Stocked } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { expireOrdersJob } from '../orders/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

async function stockEvents(): Promise<string[]> {
  return (await tradepost.events()).filter((type) => type.startsWith('product.'))
}

const buy = (game: Stocked, quantity = 1, fields: Json = {}) =>
  order(tradepost, game.id, { items: [{ product_id: game.id, quantity }], ...fields })

test('the order that reserves the last unit emits it; earlier orders and the payment do not', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('EDGE', 2) })
  await stockEvents()
  await buy(game)
  expect(await stockEvents()).toEqual([])
  const last = await buy(game)
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
  const [emitted] = (await tradepost.payloads('product.out_of_stock')).slice(-1)
  expect(emitted.data.object).toEqual({
    object: 'product',
    id: game.id,
    name: 'Game',
    slug: game.product.product.slug,
    status: 'active',
    stock: 0,
  })
  await tradepost.post(`/orders/${last.id}/manual-payments`, {})
  expect(await stockEvents()).toEqual([])
})

test('stock given back by a cancelled order is no restock, and may run out again', async () => {
  const game = await product(tradepost, {}, { keys: ['BACK-0001'] })
  const first = await buy(game)
  await stockEvents()
  await tradepost.post(`/orders/${first.id}/cancel`)
  expect(await stockEvents()).toEqual([])
  await buy(game)
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
})

test('a product is out of stock when its last active variant is', async () => {
  const variants = [{ name: 'A' }, { name: 'B' }, { name: 'Off', active: false }]
  const game = await product(tradepost, { variants }, { keys: ['VAR-A-0001'] })
  const [a, b, off] = game.product.variants.map((item: Json) => item.id)
  await addKeys(tradepost, { id: game.id, variantId: b }, ['VAR-B-0001'])
  await addKeys(tradepost, { id: game.id, variantId: off }, ['VAR-C-0001'])
  await stockEvents()
  const items = (variant_id: number) => ({
    items: [{ product_id: game.id, variant_id, quantity: 1 }],
  })
  await order(tradepost, game.id, items(a))
  expect(await stockEvents()).toEqual([])
  await order(tradepost, game.id, items(b))
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
})

test('one order that empties several variants emits one event', async () => {
  const variants = [{ name: 'A' }, { name: 'B' }]
  const game = await product(tradepost, { variants }, { keys: ['BOTH-A-0001'] })
  const [a, b] = game.product.variants.map((item: Json) => item.id)
  await addKeys(tradepost, { id: game.id, variantId: b }, ['BOTH-B-0001'])
  await stockEvents()
  const items = [a, b].map((variant_id) => ({ product_id: game.id, variant_id, quantity: 1 }))
  await order(tradepost, game.id, { items })
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
})

test.each([
  ['has a variant without end', { name: 'B', delivery_type: 'service' }],
  ['has a variant that is not tracked', { name: 'B', track_inventory: false }],
])('a product that %s never runs out', async (_, endless) => {
  const game = await product(
    tradepost,
    { variants: [{ name: 'A' }, endless] },
    { keys: ['ENDLESS-0001'] },
  )
  await stockEvents()
  await buy(game)
  expect(await stockEvents()).toEqual([])
})

test('a refused order emits nothing', async () => {
  const game = await product(tradepost, {}, { keys: ['FEW-0001'] })
  await tradepost.events()
  const body = {
    items: [{ product_id: game.id, quantity: 2 }],
    customer: { email: 'x@example.com' },
  }
  expect((await tradepost.post('/orders', body)).json.code).toBe('OUT_OF_STOCK')
  expect(await tradepost.events()).toEqual([])
})

test('a late payment that takes the last unit again emits it again', async () => {
  const game = await product(tradepost, {}, { keys: ['LATE-0001'] })
  const late = await buy(game)
  tradepost.forward(HOUR_MS)
  await expireOrdersJob.run(tradepost.app)
  await stockEvents()
  const { json } = await tradepost.post(`/orders/${late.id}/manual-payments`, {})
  expect(json.order.status).toBe('completed')
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
})

test('a paid backorder that takes the last of new keys emits it', async () => {
  const variants = [{ name: 'A', allow_backorder: true }]
  const game = await product(tradepost, { variants })
  const waiting = await buy(game, 2)
  await addKeys(tradepost, game, keysNamed('LOAD', 2))
  await stockEvents()
  const { json } = await tradepost.post(`/orders/${waiting.id}/manual-payments`, {})
  expect(json.order.status).toBe('completed')
  expect(await stockEvents()).toEqual(['product.out_of_stock'])
})
