import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../../test/harness.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import { createSender } from '../../sender/sender.ts'
import type { OpenedSide } from '../store/account/index.ts'
import { createClaims } from './engine/claims.ts'
import { createExecutor } from './engine/executor.ts'
import { createLanes } from './engine/lanes.ts'
import type { Result } from './engine/record-results.ts'
import { createTargets } from './engine/targets.ts'
import type { Try } from './engine/try.ts'
import { type Dispatcher, startDispatcher } from './index.ts'
import { NO_METER } from './metrics.ts'
import { claimEvents, claimRetries, PAYLOADS_MAX, selectTarget } from './queries/claim.ts'
import { spill } from './spill.fixture.ts'
import { sampleEvent } from './trigger-event.ts'

const ENDPOINTS = 20

let tradepost: Tradepost
let dispatcher: Dispatcher
let base: string
let hanging: ServerResponse[]
let arrived: string[]
let over: boolean
let close: () => Promise<void>

beforeEach(async () => {
  tradepost = await openTradepost()
  hanging = []
  arrived = []
  over = false
  const server = createServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/hang') && !over) return void hanging.push(response)
    arrived.push(request.url ?? '')
    response.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  dispatcher = startDispatcher(tradepost.app)
  close = async () => {
    over = true
    for (const response of hanging) response.end('late')
    await dispatcher.stop()
    server.closeAllConnections()
    server.close()
    await tradepost.close()
  }
})
afterEach(() => close())

const endpoint = (as: OpenedSide, path: string) =>
  tradepost.post('/webhooks', { url: base + path, events: ['order.created'] }, { as })

const eventSourceOf = (as: OpenedSide) =>
  tradepost.db
    .selectFrom('store')
    .select(['id', 'hash', 'slug', 'name', 'livemode'])
    .where('hash', '=', as.id)
    .executeTakeFirstOrThrow()

const sourceIds = async (): Promise<[number, number]> => {
  const { live, other } = tradepost
  return [(await eventSourceOf(live)).id, (await eventSourceOf(other)).id]
}

async function emit(as: OpenedSide, count: number): Promise<void> {
  const store = await eventSourceOf(as)
  const events = Array.from({ length: count }, () => sampleEvent('order.created', 'EUR'))
  await inTransaction(tradepost.db, (tx) =>
    tradepost.app.ledger.record(
      tx,
      store,
      new Date(tradepost.app.clock.now()).toISOString(),
      events,
    ),
  )
}

/** Waits for a state that comes before an attempt at a receiver that hangs times out. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const hung = [...hanging]
  while (!(await holds())) {
    if (hung.some(({ destroyed }) => destroyed)) throw new Error('An attempt timed out first.')
    hung.push(...hanging.filter((response) => !hung.includes(response)))
    await pause(20)
  }
}

test('endpoints of a store that all hang keep no other store waiting, not even at the same host', async () => {
  for (let n = 0; n < ENDPOINTS; n++) await endpoint(tradepost.other, `/hang${n}`)
  await endpoint(tradepost.live, '/fine')
  await emit(tradepost.other, 15)
  await until(() => hanging.length > 0)
  await emit(tradepost.live, 5)
  await until(() => arrived.length === 5)
})

test('what waits for a place of its endpoint was not attempted', async () => {
  await endpoint(tradepost.live, '/hang')
  await emit(tradepost.live, 30)
  await until(() => hanging.length === 10)
  const { deliveries } = (await tradepost.get('/events/deliveries?limit=100')).json
  expect(deliveries).toHaveLength(30)
  expect(new Set(deliveries.map((item: { attempts: number }) => item.attempts))).toEqual(
    new Set([0]),
  )
  for (const response of hanging.splice(0)) response.end('late')
  await until(() => hanging.length === 10)
})

test('while hanging stores hold nearly all slots, the free ones are used', async () => {
  await dispatcher.stop()
  await endpoint(tradepost.live, '/fine')
  await emit(tradepost.live, 5)
  const lanes = createLanes(100, () => {})
  const never = () => new Promise<never>(() => {})
  for (const [at, count] of [50, 25, 12].entries()) {
    const store_id = 1_000_000 + at
    for (let n = 0; n < count; n++) {
      const endpoint_id = store_id * 100 + n
      lanes.enter({ store_id, endpoint_id, bytes: 0, run: never, giveBack: () => {} })
    }
  }
  const noted = (error: unknown) => expect(error).toBeUndefined()
  const claims = createClaims(tradepost.app, { lanes, room: () => 13, meter: NO_METER, noted })
  expect(lanes.size()).toBe(87)
  expect(await claims.take(0)).toHaveLength(5)
})

test('what could not be begun in time is given back, for its lease is nearly over', async () => {
  await dispatcher.stop()
  await endpoint(tradepost.live, '/fine')
  await emit(tradepost.live, 1)
  const lanes = createLanes(100, () => {})
  const noted = (error: unknown) => expect(error).toBeUndefined()
  const options = { lanes, meter: NO_METER, noted, targets: createTargets(tradepost.db) }
  const [one] = await createClaims(tradepost.app, { ...options, room: () => 1 }).take(0)
  if (!one) throw new Error('Nothing was claimed.')
  const results: Result[] = []
  const buffer = {
    add: (result: Result) => void results.push(result),
    size: () => results.length,
    isBehind: () => false,
    close: async () => {},
  }
  const sender = createSender({ allowedHosts: tradepost.app.config.webhookAllowedHosts })
  const executor = createExecutor(tradepost.app, { ...options, sender, buffer })
  const target = await selectTarget(tradepost.db, one.endpoint_id)
  const now = performance.now()
  // It may take 15 s from then on, and its lease lasts 30 s.
  executor.begin(one, { claimed_at: now - 10_001, read_at: now, target })
  await until(() => results.length === 1)
  expect(results[0]).toMatchObject({ sent: false, row: { status: 'pending', wait_ms: 0 } })
  executor.begin(one, { claimed_at: now, read_at: now, target })
  await until(() => results.length === 2)
  expect(results[1]).toMatchObject({ sent: true, row: { status: 'succeeded' } })
  expect(arrived).toEqual(['/fine'])
  await sender.close()
})

test('of due retries a store gets its share at a time, however many endpoints it has', async () => {
  for (let n = 0; n < ENDPOINTS; n++) await endpoint(tradepost.live, `/busy${n}`)
  await endpoint(tradepost.other, '/last')
  await dispatcher.stop()
  await emit(tradepost.live, 3)
  await emit(tradepost.other, 30)
  const [live, other] = await sourceIds()
  const waiting = await tradepost.db
    .selectFrom('webhook_fanout')
    .select(['store_id', 'no', 'endpoint_ids'])
    .execute()
  const retries = waiting.flatMap(({ store_id, no, endpoint_ids }) =>
    endpoint_ids.map((endpoint_id, at) => ({ store_id, endpoint_id, delivery_id: no * 32 + at })),
  )
  await spill(tradepost.db, retries)
  const all = { afterEndpoint: 0, room: [], roomOfOthers: 10, perStore: 16, limit: 64 }
  const claimed = await claimRetries(tradepost.db, { ...all, crowded: [] })
  const of = (storeId: number) => claimed.filter((row) => row.store_id === storeId)
  expect(of(live)).toHaveLength(16)
  expect(of(other)).toHaveLength(10)

  const last = Math.max(...of(other).map((row) => row.endpoint_id))
  const after = await claimRetries(tradepost.db, { ...all, afterEndpoint: last - 1, crowded: [] })
  expect(after.every((row) => row.endpoint_id === last)).toBe(true)
  expect(after).toHaveLength(10)
  expect(await claimRetries(tradepost.db, { ...all, crowded: [live, other] })).toEqual([])
})

test('of due retries the endpoint behind the last is next, and a store that has enough is left out', async () => {
  await dispatcher.stop()
  for (const path of ['/a', '/b']) await endpoint(tradepost.live, path)
  await endpoint(tradepost.other, '/c')
  await emit(tradepost.live, 10)
  await emit(tradepost.other, 4)
  const waiting = await tradepost.db
    .deleteFrom('webhook_fanout')
    .returning(['store_id', 'no', 'endpoint_ids'])
    .execute()
  await spill(
    tradepost.db,
    waiting.flatMap(({ store_id, no, endpoint_ids }) =>
      endpoint_ids.map((endpoint_id, at) => ({ store_id, endpoint_id, delivery_id: no * 32 + at })),
    ),
  )
  const endpoints = await tradepost.db
    .selectFrom('webhook_endpoint')
    .select('id')
    .orderBy('id')
    .execute()
  const [a, b, c] = endpoints.map(({ id }) => id)
  const lanes = createLanes(100, () => {})
  const noted = (error: unknown) => expect(error).toBeUndefined()
  const options = { lanes, room: () => 12, meter: NO_METER, noted }
  const claims = createClaims(tradepost.app, options)
  const take = async () => {
    let tries: Try[] = []
    await until(async () => {
      tries = await claims.take(0)
      return tries.length > 0
    })
    return tries.map((item) => item.endpoint_id).sort()
  }
  const crowd = async (as: OpenedSide) => {
    const { id: store_id } = await eventSourceOf(as)
    const never = () => new Promise<never>(() => {})
    for (let endpoint_id = 0; endpoint_id < 50; endpoint_id++)
      lanes.enter({ store_id, endpoint_id, bytes: 0, run: never, giveBack: () => {} })
  }
  // Each store gets a quarter of the capacity.
  expect(await take()).toEqual([a, a, a, c, c, c])
  await tradepost.db
    .deleteFrom('webhook_retry')
    .where('endpoint_id', '=', c ?? 0)
    .execute()
  expect(await take()).toEqual([a, a, a])
  expect(await take()).toEqual([b, b, b])
  await crowd(tradepost.live)
  // One that looked at nothing just now, and so looks at once.
  expect(await createClaims(tradepost.app, options).take(0)).toEqual([])
})

test('a store gives so many waiting events at a time, and no more than its endpoints have free slots', async () => {
  await dispatcher.stop()
  await endpoint(tradepost.live, '/one')
  await endpoint(tradepost.live, '/two')
  await emit(tradepost.live, 80)
  const store_id = (await eventSourceOf(tradepost.live)).id
  const ids = await tradepost.db.selectFrom('webhook_endpoint').select('id').orderBy('id').execute()
  const claim = (places: number[], triesPerEvent = 1) =>
    claimEvents(tradepost.db, {
      afterStore: 0,
      skip: [],
      room: places.map((each, at) => ({ store_id, endpoint_id: ids[at]?.id ?? 0, places: each })),
      roomOfOthers: 10,
      triesPerEvent,
      perStore: { least: 12, most: 25 },
      events: 100,
      limit: 100,
    })
  expect(await claim([0, 0])).toHaveLength(0)
  // As many queue behind those that begin.
  expect(await claim([0, 3])).toHaveLength(6)
  // If both endpoints are subscribed, the claim is limited by the one with more free slots.
  expect(await claim([0, 3], 2)).toHaveLength(6)
  expect(await claim([3, 3], 2)).toHaveLength(6)
  expect(await claim([0])).toHaveLength(20)
  expect(await claim([])).toHaveLength(25)
})

test('fewer large payloads are claimed at once, for first attempts and for retries', async () => {
  await dispatcher.stop()
  await endpoint(tradepost.live, '/one')
  const store = await eventSourceOf(tradepost.live)
  for (let n = 0; n < 3; n++) {
    const event = sampleEvent('order.created', 'EUR')
    Object.assign(event.object, { text: 'x'.repeat(PAYLOADS_MAX / 2) })
    const record = (tx: Tx) =>
      tradepost.app.ledger.record(tx, store, new Date().toISOString(), [event])
    await inTransaction(tradepost.db, record)
  }
  const lanes = createLanes(1_000, () => {})
  const noted = (error: unknown) => expect(error).toBeUndefined()
  const claims = createClaims(tradepost.app, { lanes, room: () => 1_000, meter: NO_METER, noted })
  const [some, rest] = [await claims.take(0), await claims.take(0)]
  expect([some, rest].map((tries) => tries.length)).toEqual([2, 1])

  const taken = [...some, ...rest]
  await spill(
    tradepost.db,
    taken.map(({ store_id, endpoint_id, delivery_id }) => ({ store_id, endpoint_id, delivery_id })),
  )
  const all = { afterEndpoint: 0, room: [], roomOfOthers: 10, perStore: 16, limit: 64, crowded: [] }
  expect(await claimRetries(tradepost.db, all)).toHaveLength(2)
  expect(await claimRetries(tradepost.db, all)).toHaveLength(1)
})

test('a store without free slots leaves its share to the others', async () => {
  await dispatcher.stop()
  await endpoint(tradepost.other, '/full')
  await endpoint(tradepost.live, '/fine')
  await emit(tradepost.other, 30)
  await emit(tradepost.live, 30)
  const { id: store_id } = await eventSourceOf(tradepost.other)
  const full = await tradepost.db
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('store_id', '=', store_id)
    .executeTakeFirstOrThrow()
  const claimed = await claimEvents(tradepost.db, {
    afterStore: 0,
    skip: [],
    room: [{ store_id, endpoint_id: full.id, places: 0 }],
    roomOfOthers: 10,
    triesPerEvent: 1,
    perStore: { least: 1, most: 200 },
    events: 24,
    limit: 24,
  })
  expect(claimed).toHaveLength(24)
})

test.each(['deleted', 'turned off'])(
  'what waits for an endpoint that was %s does not wait for one that hangs',
  async (how) => {
    await dispatcher.stop()
    await endpoint(tradepost.live, '/hang')
    const { webhook } = (await endpoint(tradepost.live, '/gone')).json
    const store_id = (await eventSourceOf(tradepost.live)).id
    const [hangs] = await tradepost.db
      .selectFrom('webhook_endpoint')
      .select('id as endpoint_id')
      .orderBy('id')
      .execute()
    const claim = () =>
      claimEvents(tradepost.db, {
        afterStore: 0,
        skip: [],
        room: [{ store_id, endpoint_id: hangs?.endpoint_id ?? 0, places: 0 }],
        roomOfOthers: 10,
        triesPerEvent: 1,
        perStore: { least: 12, most: 200 },
        events: 100,
        limit: 100,
      })
    await emit(tradepost.live, 25)
    if (how === 'deleted') await tradepost.delete(`/webhooks/${webhook.id}`)
    else await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
    tradepost.forward(1_000)
    await emit(tradepost.live, 5)
    expect(await claim()).toHaveLength(20)
    await tradepost.db.deleteFrom('webhook_fanout').where('lease_token', '<>', 0).execute()
    expect(await claim()).toHaveLength(10)
    await tradepost.db.deleteFrom('webhook_fanout').where('lease_token', '<>', 0).execute()
    // No delivery of the endpoint is left.
    await emit(tradepost.live, 5)
    expect(await claim()).toHaveLength(0)
  },
)

test('nothing is claimed for a store whose only endpoint hangs', async () => {
  await endpoint(tradepost.other, '/hang')
  await endpoint(tradepost.live, '/fine')
  await emit(tradepost.other, 500)
  await until(() => hanging.length === 10)
  for (let n = 0; n < 20; n++) {
    await emit(tradepost.live, 1)
    await until(() => arrived.length === n + 1)
  }
  const { count } = await tradepost.db
    .selectFrom('webhook_retry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  // The first look claimed these before the endpoint was known to be full.
  expect(count).toBeLessThanOrEqual(200)
})

test('of events that go to many endpoints fewer are taken, and the store after them is next', async () => {
  await dispatcher.stop()
  for (let n = 0; n < ENDPOINTS; n++) await endpoint(tradepost.live, `/busy${n}`)
  await endpoint(tradepost.other, '/one')
  await emit(tradepost.live, 20)
  await emit(tradepost.other, 5)
  const lanes = createLanes(1_000, () => {})
  const noted = (error: unknown) => expect(error).toBeUndefined()
  const claims = createClaims(tradepost.app, { lanes, room: () => 60, meter: NO_METER, noted })
  const [live, other] = await sourceIds()
  const storesOf = (tries: Try[]) => tries.map((item) => item.store_id)
  // At the first look half of the capacity is kept for retries.
  expect(storesOf(await claims.take(0))).toEqual(Array(2 * ENDPOINTS).fill(live))
  expect(storesOf(await claims.take(0))).toContain(other)
})
