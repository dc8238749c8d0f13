import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { order, product } from '../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../test/harness.ts'
import { inTransaction } from '../db/database.ts'
import { openLedger } from './ledger.ts'
import { sampleOf } from './samples.ts'

const type = 'order.cancelled'

let tradepost: Tradepost
let productId: string

beforeAll(async () => {
  tradepost = await openTradepost()
  productId = (await product(tradepost, { type: 'service' })).id
  await tradepost.post('/webhooks', { url: 'http://127.0.0.1:4999/', events: ['*'] })
})
afterAll(() => tradepost.close())
afterEach(() => void vi.useRealTimers())

const listDeliveries = async (query = ''): Promise<Json[]> =>
  (await tradepost.get(`/events/deliveries${query}`)).json.deliveries

/** Writes an event as another process on the same database would. */
async function recordInOtherProcess(): Promise<void> {
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
  await order(tradepost, productId)
  await recordInOtherProcess()
  // After a second the process drops the rest of its reserved block of event numbers.
  vi.advanceTimersByTime(1_001)
  const { id } = await order(tradepost, productId)
  const pages = await Promise.all([listDeliveries('?limit=1'), listDeliveries('?limit=1&offset=1')])
  const objects = pages.flat().map(({ event }) => event.object_id)
  expect(objects).toEqual([id, 'ord_elsewhere'])
})

test('a page of deliveries is sorted by time, even if the event numbers are not', async () => {
  await order(tradepost, productId)
  tradepost.forward(500)
  await recordInOtherProcess()
  tradepost.forward(500)
  await order(tradepost, productId)
  const times = (await listDeliveries()).map(({ created_at }) => created_at)
  expect(times).toEqual([...times].sort().reverse())
})
