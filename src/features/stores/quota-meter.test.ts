import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../../test/harness.ts'
import { asStore, createQuotaMeter, selectStore } from './index.ts'

let shop: Tradepost

beforeAll(async () => {
  shop = await openTradepost()
})
afterAll(() => shop.close())

const row = async () => {
  const found = await selectStore(shop.db, shop.live.id)
  if (!found) throw new Error('There is no such store.')
  return found
}

test('calls are added to the row of the store once, and a second flush adds nothing', async () => {
  const meter = createQuotaMeter()
  const store = asStore(await row())
  for (let n = 0; n < 5; n++) meter.count(store, shop.app.clock.now())
  await meter.flush(shop.db)
  await meter.flush(shop.db)
  expect((await row()).quota_used).toBe(store.quota_used + 5)
  expect(meter.used(store, shop.app.clock.now())).toBe(store.quota_used + 5)
})
