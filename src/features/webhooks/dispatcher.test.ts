import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { subscribedStore } from '../../../test/subscribed-store.ts'
import type { App } from '../../app.ts'
import { inTransaction } from '../../db/database.ts'
import { MINUTE_MS } from '../../kernel/time.ts'
import { startDispatcher } from './index.ts'
import { sampleEvent } from './trigger-event.ts'

const subscribed = subscribedStore()
const { happen, log } = subscribed
/** Requests that wait for their answer. */
let held: ServerResponse[] = []

/** Attempts at once for one endpoint, and as many that queue behind them. */
const PLACES = 10

beforeEach(() => {
  held = []
})

const hold = () => subscribed.receiver.answer((response) => void held.push(response))
const release = (count = held.length) => {
  for (const response of held.splice(0, count)) response.end('ok')
}

const allArrived = async (count: number) => {
  await expect
    .poll(async () => (await log()).filter(({ status }) => status === 'succeeded').length, {
      timeout: 10_000,
    })
    .toBe(count)
}

test('stopping lets running attempts end, starts no others, and releases the leases on the rest', async () => {
  await happen(PLACES + 5)
  hold()
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  await subscribed.receiver.until(PLACES)
  await expect
    .poll(async () => (await log()).filter(({ status }) => status === 'delivering').length)
    .toBe(PLACES + 5)
  const stopped = dispatcher.stop()
  // The released deliveries are recorded while the ten attempts are still under way.
  await expect
    .poll(async () => (await log()).filter(({ status }) => status === 'pending').length)
    .toBe(5)
  subscribed.receiver.answer((response) => response.end('ok'))
  release()
  await stopped
  expect(subscribed.receiver.received).toHaveLength(PLACES)
  expect((await log()).map(({ status, attempts }) => `${status} ${attempts}`).sort()).toEqual([
    ...new Array(5).fill('pending 0'),
    ...new Array(PLACES).fill('succeeded 1'),
  ])

  const next = startDispatcher(subscribed.tradepost.app)
  await allArrived(PLACES + 5)
  await next.stop()
  expect(subscribed.receiver.received).toHaveLength(PLACES + 5)
})

test('claimed deliveries are not sent after a stop, and their leases are released', async () => {
  await happen(5)
  const statements = await subscribed.tradepost.statements(async () => {
    const dispatcher = startDispatcher(subscribed.tradepost.app)
    // The claim is on its way to the database.
    await nextTurn()
    await dispatcher.stop()
  })
  expect(statements.some((text) => text.includes('webhook_lease'))).toBe(true)
  expect((await log()).map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
    new Array(5).fill('pending 0'),
  )
  expect(subscribed.receiver.received).toHaveLength(0)
})

test('an attempt that outlives the timeout of a stop is recorded anyway', async () => {
  await happen(1)
  hold()
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  await subscribed.receiver.until(1)
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const stopped = dispatcher.stop()
    await pause(100)
    vi.advanceTimersByTime(MINUTE_MS)
    // The stop no longer waits for attempts, and closes the sender, which ends running ones.
    await pause(100)
    release()
    await stopped
    // The database may be closed from now on.
    expect(await subscribed.tradepost.statements(() => pause(200))).toEqual([])
  } finally {
    vi.useRealTimers()
  }
  expect(await log()).toMatchObject([{ status: 'succeeded', attempts: 1 }])
})

describe('while the database answers no question', () => {
  /** A name that a statement needs is another one, until the sender complained so often. */
  async function whileMissing(of: string, name: string, complaints: number): Promise<void> {
    await happen(3)
    let said = 0
    const write = (line: string) => {
      if (line.includes('webhooks could not be sent')) said++
    }
    await sql.raw(`alter ${of} rename ${name} to away`).execute(subscribed.tradepost.db)
    const app: App = { ...subscribed.tradepost.app, log: pino({ level: 'warn' }, { write }) }
    const dispatcher = startDispatcher(app)
    try {
      await expect.poll(() => said).toBeGreaterThanOrEqual(complaints)
      await sql.raw(`alter ${of} rename away to ${name}`).execute(subscribed.tradepost.db)
      await allArrived(3)
    } finally {
      await dispatcher.stop()
    }
    expect((await log()).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
    expect(subscribed.receiver.received).toHaveLength(3)
  }

  test('what waits is looked for again', () =>
    // Both lanes fail at each look.
    whileMissing('table event', 'payload_enc', 3))

  test('a claim for an endpoint that cannot be read is released', () =>
    whileMissing('table webhook_endpoint', 'standard_headers', 1))
})

test('payloads under way hold up to 64 MB; others are sent when memory is free', async () => {
  const asked: (() => void)[] = []
  // It reads nothing of a request before it may answer.
  const server = createServer((request, response) => {
    asked.push(() => void request.resume().on('end', () => response.end('ok')))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const others: Json[] = []
  for (let n = 0; n < PLACES; n++)
    others.push(
      (await subscribed.tradepost.post('/webhooks', { url, events: ['order.expired'] })).json
        .webhook,
    )
  const store = await subscribed.tradepost.db
    .selectFrom('store')
    .select(['id', 'hash', 'slug', 'name', 'livemode'])
    .where('hash', '=', subscribed.tradepost.live.id)
    .executeTakeFirstOrThrow()
  const large = sampleEvent('order.expired', 'EUR')
  Object.assign(large.object, { text: 'x'.repeat((64 * 1024 * 1024) / PLACES) })
  await inTransaction(subscribed.tradepost.db, (tx) =>
    subscribed.tradepost.app.ledger.record(tx, store, new Date().toISOString(), [large]),
  )
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  await expect.poll(() => asked.length).toBe(PLACES)
  await happen(1)
  await pause(300)
  expect(subscribed.receiver.received).toEqual([])
  asked[0]?.()
  await subscribed.receiver.until(1)
  for (const answer of asked.slice(1)) answer()
  await dispatcher.stop()
  for (const { id } of others) await subscribed.tradepost.delete(`/webhooks/${id}`)
  server.closeAllConnections()
  server.close()
})

describe('while the database takes no results', () => {
  /** Counts the log lines of the dispatcher about results that still wait for the database. */
  function watched(): { app: App; waits: () => number } {
    let waits = 0
    const write = (line: string) => {
      if (line.includes('webhook results wait for the database')) waits++
    }
    return {
      app: { ...subscribed.tradepost.app, log: pino({ level: 'debug' }, { write }) },
      waits: () => waits,
    }
  }

  /** The database's own refusal of writes, as while it shuts down. */
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
  const takeResults = () =>
    sql`drop function refuse_results cascade`.execute(subscribed.tradepost.db)

  test('an attempt that queues behind a running one is not sent', async () => {
    await happen(2 * PLACES)
    hold()
    await refuseResults()
    const { app, waits } = watched()
    const dispatcher = startDispatcher(app)
    try {
      await subscribed.receiver.until(PLACES)
      await expect
        .poll(async () => (await log()).filter(({ status }) => status === 'delivering').length)
        .toBe(2 * PLACES)
      release(1)
      // Its place is taken before anybody knows that its result cannot be written.
      await subscribed.receiver.until(PLACES + 1)
      await expect.poll(waits).toBeGreaterThan(0)
      release()
      const before = waits()
      await expect.poll(waits).toBeGreaterThan(before + 2)
      expect(subscribed.receiver.received).toHaveLength(PLACES + 1)
    } finally {
      subscribed.receiver.answer((response) => response.end('ok'))
      await takeResults()
    }
    await allArrived(2 * PLACES)
    await dispatcher.stop()
    expect(subscribed.receiver.received).toHaveLength(2 * PLACES)
  })

  test('nothing more is taken', async () => {
    await refuseResults()
    const { app, waits } = watched()
    const dispatcher = startDispatcher(app)
    try {
      await happen(1)
      await expect.poll(waits).toBeGreaterThan(0)
      const before = waits()
      await happen(1)
      // Four a second, and the dispatcher looks each second.
      await expect.poll(waits).toBeGreaterThan(before + 6)
      expect((await log()).map(({ status }) => status)).toEqual(['pending', 'delivering'])
      expect(subscribed.receiver.received).toHaveLength(1)
    } finally {
      await takeResults()
    }
    await allArrived(2)
    await dispatcher.stop()
    expect(subscribed.receiver.received).toHaveLength(2)
  })
})

test('what failed together does not come back together: each waits a little longer, at most 2 %', async () => {
  subscribed.receiver.answer((response) => response.writeHead(500).end())
  await happen(8)
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  await subscribed.receiver.until(8)
  await dispatcher.stop()
  const waits = (await log()).map(
    ({ next_attempt_at, updated_at }) => Date.parse(next_attempt_at) - Date.parse(updated_at),
  )
  expect(waits).toHaveLength(8)
  for (const wait_ms of waits) {
    expect(wait_ms).toBeGreaterThanOrEqual(MINUTE_MS)
    expect(wait_ms).toBeLessThanOrEqual(1.02 * MINUTE_MS)
  }
  expect(new Set(waits).size).toBeGreaterThan(1)
})
