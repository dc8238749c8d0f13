import { afterEach, beforeEach, expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { inTransaction } from '../../src/db/database.ts'
import { EVENT_TYPES, type EventType } from '../../src/events/types.ts'
import { unsentResult } from '../../src/features/webhooks/engine/attempt.ts'
import { createClaims } from '../../src/features/webhooks/engine/claims.ts'
import { createEndpointQueues } from '../../src/features/webhooks/engine/endpoint-queues.ts'
import type { LeasedDelivery } from '../../src/features/webhooks/engine/leased-delivery.ts'
import {
  type AttemptResult,
  recordResults,
} from '../../src/features/webhooks/engine/record-results.ts'
import { startDispatcher } from '../../src/features/webhooks/index.ts'
import { NO_METER } from '../../src/features/webhooks/metrics.ts'
import { sampleEvent } from '../../src/features/webhooks/trigger-event.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { elapse } from '../until.ts'
import { holdTransaction } from './lock-waits.ts'
import type { ServedStore } from './open-served-database.ts'
import { sharedDatabase } from './shared-database.ts'

// The recording of results while the database is slower than the receivers.

const EVENTS = 5_000
const IN_PROGRESS_MAX = 2_000
/** A busy machine needs more than a minute for 5,000 deliveries. */
const DELIVERY_MAX_MS = 240_000
/** Long enough to claim more deliveries than allowed. After 3 s a statement that waits for a lock fails. */
const LOCKED_MS = 2_500

const database = sharedDatabase({
  env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
})
let receiver: Receiver

beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

/** Records events of these types in a store, as a change would. */
async function recordEvents(
  { app: { db, ledger }, storeId }: ServedStore,
  types: readonly EventType[],
): Promise<void> {
  const store = await db
    .selectFrom('store')
    .select(['id', 'hash', 'slug', 'name', 'livemode'])
    .where('id', '=', storeId)
    .executeTakeFirstOrThrow()
  const events = types.map((type) => sampleEvent(type, 'EUR'))
  await inTransaction(db, (tx) => ledger.record(tx, store, new Date().toISOString(), events))
}

const countLeased = async ({ db }: App): Promise<number> => {
  const { count } = await db
    .selectFrom('webhook_fanout')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('lease_token', '<>', 0)
    .executeTakeFirstOrThrow()
  return count
}

test('at most 2,000 deliveries are in progress while results cannot be recorded, and all are delivered afterwards', async (context) => {
  const store = await database.openStore(context)
  const { app, targets } = store
  for (const [n, type] of EVENT_TYPES.entries()) {
    const hook = { url: `${receiver.url}/${n}`, events: [type] }
    await call(targets[0], 'POST', '/webhooks', { body: hook })
  }
  const types = Array.from({ length: EVENTS }, (_, n) => EVENT_TYPES[n % EVENT_TYPES.length])
  await recordEvents(store, types as EventType[])

  const unlock = await holdTransaction(app, 'lock table webhook_delivery in share mode')
  const dispatcher = startDispatcher(app)
  await expect.poll(() => countLeased(app)).toBeGreaterThan(0)
  await elapse(LOCKED_MS)
  const claimed = await countLeased(app)
  await unlock()
  await receiver.until(EVENTS, DELIVERY_MAX_MS)
  await dispatcher.stop()
  expect(claimed).toBeGreaterThan(0)
  expect(claimed).toBeLessThanOrEqual(IN_PROGRESS_MAX)
  expect(receiver.received).toHaveLength(EVENTS)
})

test('a success is recorded after another worker has updated the endpoint', async (context) => {
  const store = await database.openStore(context)
  const { app, targets, storeId } = store
  const hook = { url: receiver.url, events: ['order.created'] }
  await call(targets[0], 'POST', '/webhooks', { body: hook })
  await recordEvents(store, ['order.created'])
  const selectHealth = () =>
    app.db
      .selectFrom('webhook_endpoint')
      .select('last_success_at')
      .where('store_id', '=', storeId)
      .executeTakeFirstOrThrow()

  const unlock = await holdTransaction(
    app,
    `select from webhook_endpoint where store_id = ${storeId} for no key update`,
  )
  const dispatcher = startDispatcher(app)
  await receiver.until(1)
  const stopped = dispatcher.stop()
  await elapse(200)
  await unlock()
  await stopped
  expect((await selectHealth()).last_success_at).not.toBeNull()
})

test('failures of the same endpoints that two workers record concurrently are all counted', async (context) => {
  const store = await database.openStore(context)
  const { app, targets, storeId } = store
  const [endpoints, rounds] = [4, 6]
  for (let n = 0; n < endpoints; n++) {
    const hook = { url: `${receiver.url}/${n}`, events: ['order.created'] }
    await call(targets[0], 'POST', '/webhooks', { body: hook })
  }
  await recordEvents(store, Array(2 * rounds).fill('order.created'))
  const logFailure = (error: unknown) => expect(error).toBeUndefined()
  const queues = createEndpointQueues(1_000, () => {})
  const claims = createClaims(app, { queues, capacity: () => 1_000, meter: NO_METER, logFailure })
  const attempts = [...(await claims.claim(0)), ...(await claims.claim(0))]
  expect(attempts).toHaveLength(2 * rounds * endpoints)
  const failed = (item: LeasedDelivery): AttemptResult => {
    const result = unsentResult(app, item, { status: 'failed', wait_ms: null })
    return { ...result, isSent: true, row: { ...result.row, attempts: 1, duration_ms: 5 } }
  }
  const batches = Array.from({ length: 2 * rounds }, (_, n) =>
    attempts.filter((item) => item.event.no === attempts[n * endpoints]?.event.no).map(failed),
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

test('an event is leased until the results of all its deliveries are recorded', async (context) => {
  const store = await database.openStore(context)
  const { app, targets } = store
  const slowReceiver = await openReceiver()
  const openReplies: { end(text: string): unknown }[] = []
  slowReceiver.answer((response) => void openReplies.push(response))
  for (const { url } of [receiver, slowReceiver]) {
    await call(targets[0], 'POST', '/webhooks', { body: { url, events: ['order.created'] } })
  }
  await recordEvents(store, ['order.created', 'order.created'])
  const statuses = async () => {
    const { deliveries } = (await call(targets[0], 'GET', '/events/deliveries')).json
    return deliveries.map(({ status }: Json) => status).sort()
  }

  const dispatcher = startDispatcher(app)
  await slowReceiver.until(2)
  const halfDelivered = ['delivering', 'delivering', 'succeeded', 'succeeded']
  await expect.poll(statuses).toEqual(halfDelivered)
  expect(await countLeased(app)).toBe(2)
  for (const response of openReplies) response.end('ok')
  await dispatcher.stop()
  expect(await statuses()).toEqual(Array(4).fill('succeeded'))
  expect(await countLeased(app)).toBe(0)
  await slowReceiver.close()
})
