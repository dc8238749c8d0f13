import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { order, product } from '../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../test/harness.ts'
import { inTransaction } from '../db/database.ts'
import { openLedger } from './ledger.ts'
import { sampleOf } from './samples.ts'

const type = 'order.cancelled'

let tradepost: Tradepost
let service: string

beforeAll(async () => {
  tradepost = await openTradepost()
  service = (await product(tradepost, { type: 'service' })).id
  await tradepost.post('/webhooks', { url: 'http://127.0.0.1:4999/', events: ['*'] })
})
afterAll(() => tradepost.close())
afterEach(() => void vi.useRealTimers())

const log = async (query = ''): Promise<Json[]> =>
  (await tradepost.get(`/events/deliveries${query}`)).json.deliveries

/** Writes an event as another process on the same database would. */
async function happenElsewhere(): Promise<void> {
  const { db, vault } = tradepost.app
  const store = await db
    .selectFrom('store')
    .select(['id', 'hash', 'slug', 'name', 'livemode'])
    .where('hash', '=', tradepost.live.id)
    .executeTakeFirstOrThrow()
  const now = new Date(tradepost.app.clock.now()).toISOString()
  const event = { type, object_id: 'ord_elsewhere', object: sampleOf(type, 'EUR') } as const
  await inTransaction(db, (tx) => openLedger(vault).record(tx, store, now, [event]))
}

test('a later event is listed before an earlier one of another process', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await order(tradepost, service)
  await happenElsewhere()
  vi.advanceTimersByTime(1_001)
  const { id } = await order(tradepost, service)
  const pages = await Promise.all([log('?limit=1'), log('?limit=1&offset=1')])
  const objects = pages.flat().map(({ event }) => event.object_id)
  expect(objects).toEqual([id, 'ord_elsewhere'])
})

test('a page of the log is sorted by time, even if the numbers are not', async () => {
  await order(tradepost, service)
  tradepost.forward(500)
  await happenElsewhere()
  tradepost.forward(500)
  await order(tradepost, service)
  const times = (await log()).map(({ created_at }) => created_at)
  expect(times).toEqual([...times].sort().reverse())
})
