import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { createQuotaMeter, selectStore } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const readStore = async () => {
  const store = await selectStore(tradepost.db, tradepost.live.id)
  if (!store) throw new Error('There is no such store.')
  return store
}

test('calls are added to the row of the store once, and a second flush adds nothing', async () => {
  const meter = createQuotaMeter()
  const store = await readStore()
  for (let n = 0; n < 5; n++) meter.count(store, tradepost.app.clock.now())
  await meter.flush(tradepost.db)
  await meter.flush(tradepost.db)
  expect((await readStore()).quota_used).toBe(store.quota_used + 5)
  expect(meter.used(store, tradepost.app.clock.now())).toBe(store.quota_used + 5)
})

test('overlapping flushes and a flush after a failed one count each call once', async () => {
  const meter = createQuotaMeter()
  const store = await readStore()
  const now = tradepost.app.clock.now()
  const count = (calls: number) => {
    for (let n = 0; n < calls; n++) meter.count(store, now)
  }
  count(5)
  const flushing = [meter.flush(tradepost.db), meter.flush(tradepost.db)]
  count(2)
  flushing.push(meter.flush(tradepost.db))
  await Promise.all(flushing)
  expect((await readStore()).quota_used).toBe(store.quota_used + 7)

  count(3)
  await sql`alter table store rename column quota_used to renamed`.execute(tradepost.db)
  await expect(meter.flush(tradepost.db)).rejects.toThrow('quota_used')
  await sql`alter table store rename column renamed to quota_used`.execute(tradepost.db)
  await meter.flush(tradepost.db)
  expect((await readStore()).quota_used).toBe(store.quota_used + 10)
  expect(meter.used(store, now)).toBe(store.quota_used + 10)
})

test('two concurrent flushes of the server count its calls once', async () => {
  const usedBefore = (await readStore()).quota_used
  for (let n = 0; n < 4; n++) await tradepost.get('/account')
  await Promise.all([tradepost.authentication.flush(), tradepost.authentication.flush()])
  expect((await readStore()).quota_used).toBe(usedBefore + 4)
})
