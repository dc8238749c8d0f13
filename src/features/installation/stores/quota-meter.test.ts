import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { asStore, createQuotaMeter, selectStore } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const row = async () => {
  const found = await selectStore(tradepost.db, tradepost.live.id)
  if (!found) throw new Error('There is no such store.')
  return found
}

test('calls are added to the row of the store once, and a second flush adds nothing', async () => {
  const meter = createQuotaMeter()
  const store = asStore(await row())
  for (let n = 0; n < 5; n++) meter.count(store, tradepost.app.clock.now())
  await meter.flush(tradepost.db)
  await meter.flush(tradepost.db)
  expect((await row()).quota_used).toBe(store.quota_used + 5)
  expect(meter.used(store, tradepost.app.clock.now())).toBe(store.quota_used + 5)
})

test('flushes that overlap add each call once, and so does one after a flush that failed', async () => {
  const meter = createQuotaMeter()
  const store = asStore(await row())
  const now = tradepost.app.clock.now()
  const count = (calls: number) => {
    for (let n = 0; n < calls; n++) meter.count(store, now)
  }
  count(5)
  const flushing = [meter.flush(tradepost.db), meter.flush(tradepost.db)]
  count(2)
  flushing.push(meter.flush(tradepost.db))
  await Promise.all(flushing)
  expect((await row()).quota_used).toBe(store.quota_used + 7)

  count(3)
  await sql`alter table store rename column quota_used to gone`.execute(tradepost.db)
  await expect(meter.flush(tradepost.db)).rejects.toThrow('quota_used')
  await sql`alter table store rename column gone to quota_used`.execute(tradepost.db)
  await meter.flush(tradepost.db)
  expect((await row()).quota_used).toBe(store.quota_used + 10)
  expect(meter.used(store, now)).toBe(store.quota_used + 10)
})

test('a gate that is flushed twice at once counts its calls once', async () => {
  const before = (await row()).quota_used
  for (let n = 0; n < 4; n++) await tradepost.get('/account')
  await Promise.all([tradepost.authentication.flush(), tradepost.authentication.flush()])
  expect((await row()).quota_used).toBe(before + 4)
})
