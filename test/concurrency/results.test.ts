import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { EVENT_TYPES, type EventType } from '../../src/events/types.ts'

import { untried } from '../../src/features/webhooks/engine/attempt.ts'
import { createClaims } from '../../src/features/webhooks/engine/claims.ts'
import { createLanes } from '../../src/features/webhooks/engine/lanes.ts'
import { type Result, recordResults } from '../../src/features/webhooks/engine/record-results.ts'
import type { Try } from '../../src/features/webhooks/engine/try.ts'
import { startDispatcher } from '../../src/features/webhooks/index.ts'
import { NO_METER } from '../../src/features/webhooks/metrics.ts'
import { sampleEvent } from '../../src/features/webhooks/trigger-event.ts'
import type { Json } from '../harness.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call } from '../process/client.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { meanwhile } from './meanwhile.ts'
import { openRaceStore, type StoreFixture } from './open-market.ts'

/** The writing of results, when the database is slower than the receivers. */

const EVENTS = 5_000
const IN_HAND_MAX = 2_000
/** A statement that waits longer than 3 s for a lock fails, and then nothing is sent anyway. */
const LOCKED_MS = 2_500

let server: RealPostgres | Unavailable
let raceStore: StoreFixture
let receiver: Receiver

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  raceStore = await openRaceStore(server, { env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' } })
})
afterAll(async () => {
  await raceStore?.close()
  await closePostgres(server)
})
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

/** Records such events of a store, as a change of it would. */
async function record(storeId: number, types: readonly EventType[]): Promise<void> {
  const { db, ledger } = raceStore.app
  const store = await db
    .selectFrom('store')
    .select(['id', 'hash', 'slug', 'name', 'livemode'])
    .where('id', '=', storeId)
    .executeTakeFirstOrThrow()
  const events = types.map((type) => sampleEvent(type, 'EUR'))
  await inTransaction(db, (tx) => ledger.record(tx, store, new Date().toISOString(), events))
}

const leased = async (): Promise<number> => {
  const { count } = await raceStore.app.db
    .selectFrom('webhook_fanout')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('lease_token', '<>', 0)
    .executeTakeFirstOrThrow()
  return count
}

test('sent results that are not recorded yet use the slots of pending deliveries', async (context) => {
  postgresOrSkip(context, server)
  const { targets, storeId } = await raceStore.openStoreFixture()
  for (const [n, type] of EVENT_TYPES.entries()) {
    const hook = { url: `${receiver.url}/${n}`, events: [type] }
    await call(targets[0], 'POST', '/webhooks', { body: hook })
  }
  const types = Array.from({ length: EVENTS }, (_, n) => EVENT_TYPES[n % EVENT_TYPES.length])
  await record(storeId, types as EventType[])

  const unlock = await meanwhile(raceStore.app, 'lock table webhook_delivery in share mode')
  const dispatcher = startDispatcher(raceStore.app)
  await expect.poll(leased).toBeGreaterThan(0)
  await pause(LOCKED_MS)
  const taken = await leased()
  await unlock()
  await receiver.until(EVENTS)
  await dispatcher.stop()
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThanOrEqual(IN_HAND_MAX)
  expect(receiver.received).toHaveLength(EVENTS)
})

test('a success counts although another worker is at work on its endpoint', async (context) => {
  postgresOrSkip(context, server)
  const { targets, storeId } = await raceStore.openStoreFixture()
  const hook = { url: receiver.url, events: ['order.created'] }
  await call(targets[0], 'POST', '/webhooks', { body: hook })
  await record(storeId, ['order.created'])
  const health = () =>
    raceStore.app.db
      .selectFrom('webhook_endpoint')
      .select('last_success_at')
      .where('store_id', '=', storeId)
      .executeTakeFirstOrThrow()

  const unlock = await meanwhile(
    raceStore.app,
    `select from webhook_endpoint where store_id = ${storeId} for no key update`,
  )
  const dispatcher = startDispatcher(raceStore.app)
  await receiver.until(1)
  const stopped = dispatcher.stop()
  await pause(200)
  await unlock()
  await stopped
  expect((await health()).last_success_at).not.toBeNull()
})

test('two workers that write failures of the same endpoints count each of them', async (context) => {
  postgresOrSkip(context, server)
  const { targets, storeId } = await raceStore.openStoreFixture()
  const { app } = raceStore
  const [endpoints, rounds] = [4, 6]
  for (let n = 0; n < endpoints; n++) {
    const hook = { url: `${receiver.url}/${n}`, events: ['order.created'] }
    await call(targets[0], 'POST', '/webhooks', { body: hook })
  }
  await record(storeId, Array(2 * rounds).fill('order.created'))
  const noted = (error: unknown) => expect(error).toBeUndefined()
  const lanes = createLanes(1_000, () => {})
  const claims = createClaims(app, { lanes, room: () => 1_000, meter: NO_METER, noted })
  const tries = [...(await claims.take(0)), ...(await claims.take(0))]
  expect(tries).toHaveLength(2 * rounds * endpoints)
  const failed = (item: Try): Result => {
    const result = untried(app, item, { status: 'failed', wait_ms: null })
    return { ...result, sent: true, row: { ...result.row, attempts: 1, duration_ms: 5 } }
  }
  const batches = Array.from({ length: 2 * rounds }, (_, n) =>
    tries.filter((item) => item.event.no === tries[n * endpoints]?.event.no).map(failed),
  )
  await Promise.all(
    batches.map((batch, n) => recordResults(app.db, n % 2 ? batch : batch.reverse())),
  )
  const counts = await app.db
    .selectFrom('webhook_endpoint')
    .select('failures_in_row')
    .where('store_id', '=', storeId)
    .execute()
  expect(counts.map((item) => item.failures_in_row)).toEqual(Array(endpoints).fill(2 * rounds))
})

test('an event stays in hand until all its results are written, whichever comes last', async (context) => {
  postgresOrSkip(context, server)
  const { targets, storeId } = await raceStore.openStoreFixture()
  const late = await openReceiver()
  const held: { end(text: string): unknown }[] = []
  late.answer((response) => void held.push(response))
  for (const { url } of [receiver, late]) {
    await call(targets[0], 'POST', '/webhooks', { body: { url, events: ['order.created'] } })
  }
  await record(storeId, ['order.created', 'order.created'])
  const statuses = async () => {
    const { deliveries } = (await call(targets[0], 'GET', '/events/deliveries')).json
    return deliveries.map(({ status }: Json) => status).sort()
  }

  const dispatcher = startDispatcher(raceStore.app)
  await late.until(2)
  const half = ['delivering', 'delivering', 'succeeded', 'succeeded']
  await expect.poll(statuses).toEqual(half)
  expect(await leased()).toBe(2)
  for (const response of held) response.end('ok')
  await dispatcher.stop()
  expect(await statuses()).toEqual(Array(4).fill('succeeded'))
  expect(await leased()).toBe(0)
  await late.close()
})
