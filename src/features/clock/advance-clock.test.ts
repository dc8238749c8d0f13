import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { clockCommands } from './index.ts'

let shop: Tradepost

beforeAll(async () => {
  shop = await openTradepost()
})
afterAll(() => shop.close())

const advance = (store: string, duration: string): Promise<Json> =>
  clockCommands[0]?.run(shop.app, { store, duration }) ?? Promise.reject(new Error('No command.'))
const now = async () => {
  const made = await shop.post('/products', { name: 'P', price_cents: 1 }, { as: shop.test })
  return Date.parse(made.json.product.created_at)
}

test('two moves at once add up', async () => {
  const before = await now()
  await Promise.all([advance(shop.test.id, '2h'), advance(shop.test.id, '3h')])
  const hours = Math.round(((await now()) - before) / 3_600_000)
  expect(hours).toBe(5)
})

test('a clock cannot leave the years that a date can be written in', async () => {
  await expect(advance(shop.test.id, '100000000d')).rejects.toThrow('ten years')
  expect(Number.isNaN(await now())).toBe(false)
})

test('the clock of a live side cannot be moved', async () => {
  await expect(advance(shop.live.id, '1h')).rejects.toThrow('live')
})
