import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { subscribedStore } from '../../../test/subscribed-store.ts'
import { elapse } from '../../../test/until.ts'
import type { App } from '../../app.ts'
import { inTransaction } from '../../db/database.ts'
import { MINUTE_MS } from '../../kernel/time.ts'
import { startDispatcher } from './index.ts'
import { sampleEvent } from './trigger-event.ts'

const subscribed = subscribedStore()
const { createOrders, listDeliveries } = subscribed
/** The responses to requests that are not answered yet. */
let openResponses: ServerResponse[] = []

/** Concurrent attempts for one endpoint, and as many in its queue. */
const SLOTS = 10

beforeEach(() => {
  openResponses = []
})

const delayAnswers = () =>
  subscribed.receiver.answer((response) => void openResponses.push(response))
const releaseAnswers = (count = openResponses.length) => {
  for (const response of openResponses.splice(0, count)) response.end('ok')
}

const untilSucceeded = async (count: number) => {
  await expect
    .poll(
      async () => (await listDeliveries()).filter(({ status }) => status === 'succeeded').length,
    )
    .toBe(count)
}

test('a stop lets running attempts end, starts no others, and releases the other leases', async () => {
  await createOrders(SLOTS + 5)
  delayAnswers()
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  await subscribed.receiver.until(SLOTS)
  await expect
    .poll(
      async () => (await listDeliveries()).filter(({ status }) => status === 'delivering').length,
    )
    .toBe(SLOTS + 5)
  const stopping = dispatcher.stop()
  // The released deliveries are recorded while the ten attempts are still under way.
  await expect
    .poll(async () => (await listDeliveries()).filter(({ status }) => status === 'pending').length)
    .toBe(5)
  subscribed.receiver.answer((response) => response.end('ok'))
  releaseAnswers()
  await stopping
  expect(subscribed.receiver.received).toHaveLength(SLOTS)
  expect(
    (await listDeliveries()).map(({ status, attempts }) => `${status} ${attempts}`).sort(),
  ).toEqual([...new Array(5).fill('pending 0'), ...new Array(SLOTS).fill('succeeded 1')])

  const secondDispatcher = startDispatcher(subscribed.tradepost.app)
  await untilSucceeded(SLOTS + 5)
  await secondDispatcher.stop()
  expect(subscribed.receiver.received).toHaveLength(SLOTS + 5)
})

test('claimed deliveries are not sent after a stop, and their leases are released', async () => {
  await createOrders(5)
  const statements = await subscribed.tradepost.statements(async () => {
    const dispatcher = startDispatcher(subscribed.tradepost.app)
    // The claim is on its way to the database.
    await nextTurn()
    await dispatcher.stop()
  })
  expect(statements.some((text) => text.includes('webhook_lease'))).toBe(true)
  expect((await listDeliveries()).map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
    new Array(5).fill('pending 0'),
  )
  expect(subscribed.receiver.received).toHaveLength(0)
})

test('an attempt that lasts longer than the timeout of a stop is recorded anyway', async () => {
  await createOrders(1)
  delayAnswers()
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  await subscribed.receiver.until(1)
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const stopping = dispatcher.stop()
    await elapse(100)
    vi.advanceTimersByTime(MINUTE_MS)
    // The stop no longer waits for attempts, and closes the sender, which ends running ones.
    await elapse(100)
    releaseAnswers()
    await stopping
    // The database may be closed from now on.
    expect(await subscribed.tradepost.statements(() => elapse(200))).toEqual([])
  } finally {
    vi.useRealTimers()
  }
  expect(await listDeliveries()).toMatchObject([{ status: 'succeeded', attempts: 1 }])
})

describe('while the database does not answer', () => {
  /** Renames a table or column that a statement needs, until the sender has logged this many errors. */
  async function whileRenamed(object: string, name: string, errors: number): Promise<void> {
    await createOrders(3)
    let loggedErrors = 0
    const write = (line: string) => {
      if (line.includes('webhooks could not be sent')) loggedErrors++
    }
    await sql.raw(`alter ${object} rename ${name} to renamed`).execute(subscribed.tradepost.db)
    const app: App = { ...subscribed.tradepost.app, log: pino({ level: 'warn' }, { write }) }
    const dispatcher = startDispatcher(app)
    try {
      await expect.poll(() => loggedErrors).toBeGreaterThanOrEqual(errors)
      await sql.raw(`alter ${object} rename renamed to ${name}`).execute(subscribed.tradepost.db)
      await untilSucceeded(3)
    } finally {
      await dispatcher.stop()
    }
    expect((await listDeliveries()).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
    expect(subscribed.receiver.received).toHaveLength(3)
  }

  test('pending deliveries are queried again', () =>
    // Both queues fail at each poll.
    whileRenamed('table event', 'payload_enc', 3))

  test('the claims of an endpoint that cannot be read are released', () =>
    whileRenamed('table webhook_endpoint', 'standard_headers', 1))
})

test('payloads of running attempts use at most 64 MB, and further ones are sent when memory is free', async () => {
  const acceptors: (() => void)[] = []
  // Reads nothing of a request before its acceptor is called.
  const server = createServer((request, response) => {
    acceptors.push(() => void request.resume().on('end', () => response.end('ok')))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const largeEndpoints: Json[] = []
  for (let n = 0; n < SLOTS; n++)
    largeEndpoints.push(
      (await subscribed.tradepost.post('/webhooks', { url, events: ['order.expired'] })).json
        .webhook,
    )
  const store = await subscribed.tradepost.db
    .selectFrom('store')
    .select(['id', 'hash', 'slug', 'name', 'livemode'])
    .where('hash', '=', subscribed.tradepost.live.id)
    .executeTakeFirstOrThrow()
  const largeEvent = sampleEvent('order.expired', 'EUR')
  Object.assign(largeEvent.object, { text: 'x'.repeat((64 * 1024 * 1024) / SLOTS) })
  await inTransaction(subscribed.tradepost.db, (tx) =>
    subscribed.tradepost.app.ledger.record(tx, store, new Date().toISOString(), [largeEvent]),
  )
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  await expect.poll(() => acceptors.length).toBe(SLOTS)
  await createOrders(1)
  await elapse(300)
  expect(subscribed.receiver.received).toEqual([])
  acceptors[0]?.()
  await subscribed.receiver.until(1)
  for (const accept of acceptors.slice(1)) accept()
  await dispatcher.stop()
  for (const { id } of largeEndpoints) await subscribed.tradepost.delete(`/webhooks/${id}`)
  server.closeAllConnections()
  server.close()
})

describe('while the database accepts no results', () => {
  /** Returns an app, and the number of its log lines about results that wait for the database. */
  function openObservedApp(): { app: App; waits: () => number } {
    let waits = 0
    const write = (line: string) => {
      if (line.includes('webhook results wait for the database')) waits++
    }
    return {
      app: { ...subscribed.tradepost.app, log: pino({ level: 'debug' }, { write }) },
      waits: () => waits,
    }
  }

  /** Makes the database refuse writes, as during its shutdown. */
  async function refuseResults(): Promise<void> {
    await sql`
      create function refuse_results() returns trigger language plpgsql as $$
      begin raise exception 'shutting down' using errcode = '57P03'; end $$`.execute(
      subscribed.tradepost.db,
    )
    await sql`
      create trigger refuse_results before insert or update on webhook_delivery
         for each statement execute function refuse_results()`.execute(subscribed.tradepost.db)
  }
  const acceptResults = () =>
    sql`drop function refuse_results cascade`.execute(subscribed.tradepost.db)

  test('a delivery that is queued behind a running attempt is not sent', async () => {
    await createOrders(2 * SLOTS)
    delayAnswers()
    await refuseResults()
    const { app, waits } = openObservedApp()
    const dispatcher = startDispatcher(app)
    try {
      await subscribed.receiver.until(SLOTS)
      await expect
        .poll(
          async () =>
            (await listDeliveries()).filter(({ status }) => status === 'delivering').length,
        )
        .toBe(2 * SLOTS)
      releaseAnswers(1)
      // The slot of this attempt is used again before the write of its result fails.
      await subscribed.receiver.until(SLOTS + 1)
      await expect.poll(waits).toBeGreaterThan(0)
      releaseAnswers()
      const waitsBefore = waits()
      await expect.poll(waits).toBeGreaterThan(waitsBefore + 2)
      expect(subscribed.receiver.received).toHaveLength(SLOTS + 1)
    } finally {
      subscribed.receiver.answer((response) => response.end('ok'))
      await acceptResults()
    }
    await untilSucceeded(2 * SLOTS)
    await dispatcher.stop()
    expect(subscribed.receiver.received).toHaveLength(2 * SLOTS)
  })

  test('no further deliveries are claimed', async () => {
    await refuseResults()
    const { app, waits } = openObservedApp()
    const dispatcher = startDispatcher(app)
    try {
      await createOrders(1)
      await expect.poll(waits).toBeGreaterThan(0)
      const waitsBefore = waits()
      await createOrders(1)
      // The log gets four such lines a second, and the dispatcher polls every second.
      await expect.poll(waits).toBeGreaterThan(waitsBefore + 6)
      expect((await listDeliveries()).map(({ status }) => status)).toEqual([
        'pending',
        'delivering',
      ])
      expect(subscribed.receiver.received).toHaveLength(1)
    } finally {
      await acceptResults()
    }
    await untilSucceeded(2)
    await dispatcher.stop()
    expect(subscribed.receiver.received).toHaveLength(2)
  })
})

test('deliveries that failed together are retried with different delays, at most 2 % longer', async () => {
  subscribed.receiver.answer((response) => response.writeHead(500).end())
  await createOrders(8)
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  await subscribed.receiver.until(8)
  await dispatcher.stop()
  const waits = (await listDeliveries()).map(
    ({ next_attempt_at, updated_at }) => Date.parse(next_attempt_at) - Date.parse(updated_at),
  )
  expect(waits).toHaveLength(8)
  for (const wait_ms of waits) {
    expect(wait_ms).toBeGreaterThanOrEqual(MINUTE_MS)
    expect(wait_ms).toBeLessThanOrEqual(1.02 * MINUTE_MS)
  }
  expect(new Set(waits).size).toBeGreaterThan(1)
})
