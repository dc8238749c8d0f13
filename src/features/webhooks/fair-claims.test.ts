import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../../test/harness.ts'
import { elapse } from '../../../test/until.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import { createSender } from '../../sender/sender.ts'
import type { StoreSide } from '../store/account/index.ts'
import { insertDueRetries } from './due-retries.fixture.ts'
import { createClaims } from './engine/claims.ts'
import { createEndpointQueues, type EndpointQueues } from './engine/endpoint-queues.ts'
import { createExecutor } from './engine/executor.ts'
import type { LeasedDelivery } from './engine/leased-delivery.ts'
import type { AttemptResult } from './engine/record-results.ts'
import { createTargets } from './engine/targets.ts'
import { type Dispatcher, startDispatcher } from './index.ts'
import { NO_METER } from './metrics.ts'
import { claimEvents, claimRetries, PAYLOAD_BYTES_MAX, selectTarget } from './queries/claim.ts'
import { deliveryIdOf } from './queries/delivery-id.ts'
import { sampleEvent } from './trigger-event.ts'

/** Options of claims that fail the test on any error. */
const FAIL_ON_ERROR = {
  meter: NO_METER,
  logFailure: (error: unknown) => expect(error).toBeUndefined(),
}

const ENDPOINTS = 20
const EVENT_CLAIM = { afterStore: 0, skippedStores: [], defaultSlots: 10, attemptsPerEvent: 1 }
const ALL_FREE = { capacity: [], defaultSlots: 10 }
const RETRY_CLAIM = { ...ALL_FREE, afterEndpoint: 0, skippedStores: [], perStore: 16, limit: 64 }

let tradepost: Tradepost
let dispatcher: Dispatcher
let baseUrl: string
let openResponses: ServerResponse[]
let arrivedPaths: string[]
let isClosing: boolean
let close: () => Promise<void>

beforeEach(async () => {
  tradepost = await openTradepost()
  openResponses = []
  arrivedPaths = []
  isClosing = false
  const server = createServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/hang') && !isClosing) return void openResponses.push(response)
    arrivedPaths.push(request.url ?? '')
    response.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  dispatcher = startDispatcher(tradepost.app)
  close = async () => {
    isClosing = true
    for (const response of openResponses) response.end('late')
    await dispatcher.stop()
    server.closeAllConnections()
    server.close()
    await tradepost.close()
  }
})
afterEach(() => close())

const createEndpoint = (as: StoreSide, path: string) =>
  tradepost.post('/webhooks', { url: baseUrl + path, events: ['order.created'] }, { as })

const eventSourceOf = (as: StoreSide) =>
  tradepost.db
    .selectFrom('store')
    .select(['id', 'hash', 'slug', 'name', 'livemode'])
    .where('hash', '=', as.id)
    .executeTakeFirstOrThrow()

const storeIds = async (): Promise<[number, number]> => {
  const { live, other } = tradepost
  return [(await eventSourceOf(live)).id, (await eventSourceOf(other)).id]
}

async function emit(as: StoreSide, count: number): Promise<void> {
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

/** Makes the deliveries of all pending events due as retries. */
async function moveEventsToRetries(): Promise<void> {
  const events = await tradepost.db
    .deleteFrom('webhook_fanout')
    .returning(['store_id', 'no', 'endpoint_ids'])
    .execute()
  const retries = events.flatMap(({ store_id, no, endpoint_ids }) =>
    endpoint_ids.map((endpoint_id, index) => {
      return { store_id, endpoint_id, delivery_id: deliveryIdOf(no, index) }
    }),
  )
  await insertDueRetries(tradepost.db, retries)
}

const neverEnds = () => new Promise<never>(() => {})
/** Adds work that never ends for the first endpoints of a store. */
function addHangingWork(queues: EndpointQueues, store_id: number, endpoints: number): void {
  for (let n = 0; n < endpoints; n++) {
    const endpoint_id = store_id * 100 + n
    queues.add({ store_id, endpoint_id, bytes: 0, run: neverEnds, release: () => {} })
  }
}

/** Waits until a state is reached. Throws if an attempt at a hanging receiver times out first. */
async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  const hangingBefore = [...openResponses]
  while (!(await isReached())) {
    if (hangingBefore.some(({ destroyed }) => destroyed))
      throw new Error('An attempt timed out first.')
    hangingBefore.push(...openResponses.filter((response) => !hangingBefore.includes(response)))
    await elapse(20)
  }
}

test('hanging endpoints of one store delay no other store, even at the same host', async () => {
  for (let n = 0; n < ENDPOINTS; n++) await createEndpoint(tradepost.other, `/hang${n}`)
  await createEndpoint(tradepost.live, '/fine')
  await emit(tradepost.other, 15)
  await until(() => openResponses.length > 0)
  await emit(tradepost.live, 5)
  await until(() => arrivedPaths.length === 5)
})

test('a delivery that waits for a slot has no attempt', async () => {
  await createEndpoint(tradepost.live, '/hang')
  await emit(tradepost.live, 30)
  await until(() => openResponses.length === 10)
  const { deliveries } = (await tradepost.get('/events/deliveries?limit=100')).json
  expect(deliveries).toHaveLength(30)
  expect(new Set(deliveries.map((item: { attempts: number }) => item.attempts))).toEqual(
    new Set([0]),
  )
  for (const response of openResponses.splice(0)) response.end('late')
  await until(() => openResponses.length === 10)
})

test('events are claimed for the free slots while hanging endpoints occupy nearly all slots', async () => {
  await dispatcher.stop()
  await createEndpoint(tradepost.live, '/fine')
  await emit(tradepost.live, 5)
  const queues = createEndpointQueues(100, () => {})
  for (const [index, count] of [50, 25, 12].entries()) {
    addHangingWork(queues, 1_000_000 + index, count)
  }
  const claims = createClaims(tradepost.app, { ...FAIL_ON_ERROR, queues, capacity: () => 13 })
  expect(queues.size()).toBe(87)
  expect(await claims.claim(0)).toHaveLength(5)
})

test('a delivery that did not start in time is released, because its lease is nearly over', async () => {
  await dispatcher.stop()
  await createEndpoint(tradepost.live, '/fine')
  await emit(tradepost.live, 1)
  const queues = createEndpointQueues(100, () => {})
  const options = { ...FAIL_ON_ERROR, queues, targets: createTargets(tradepost.db) }
  const [delivery] = await createClaims(tradepost.app, { ...options, capacity: () => 1 }).claim(0)
  if (!delivery) throw new Error('Nothing was claimed.')
  const results: AttemptResult[] = []
  const buffer = {
    add: (result: AttemptResult) => void results.push(result),
    size: () => results.length,
    isFailing: () => false,
    close: async () => {},
  }
  const sender = createSender({ allowedHosts: tradepost.app.config.webhookAllowedHosts })
  const executor = createExecutor(tradepost.app, { ...options, sender, buffer })
  const target = await selectTarget(tradepost.db, delivery.endpoint_id)
  const now = performance.now()
  // An attempt may take 15 s, and the lease lasts 30 s.
  executor.begin(delivery, { claimed_at: now - 10_001, read_at: now, target })
  await until(() => results.length === 1)
  expect(results[0]).toMatchObject({ isSent: false, row: { status: 'pending', wait_ms: 0 } })
  executor.begin(delivery, { claimed_at: now, read_at: now, target })
  await until(() => results.length === 2)
  expect(results[1]).toMatchObject({ isSent: true, row: { status: 'succeeded' } })
  expect(arrivedPaths).toEqual(['/fine'])
  await sender.close()
})

test('a store gets its share of due retries at a time, however many endpoints it has', async () => {
  for (let n = 0; n < ENDPOINTS; n++) await createEndpoint(tradepost.live, `/busy${n}`)
  await createEndpoint(tradepost.other, '/last')
  await dispatcher.stop()
  await emit(tradepost.live, 3)
  await emit(tradepost.other, 30)
  const [live, other] = await storeIds()
  await moveEventsToRetries()
  const retries = await claimRetries(tradepost.db, RETRY_CLAIM)
  const claimedOf = (storeId: number) => retries.filter((row) => row.store_id === storeId)
  expect(claimedOf(live)).toHaveLength(16)
  expect(claimedOf(other)).toHaveLength(10)

  const lastEndpoint = Math.max(...claimedOf(other).map((row) => row.endpoint_id))
  const nextClaim = { ...RETRY_CLAIM, afterEndpoint: lastEndpoint - 1 }
  const claimedNext = await claimRetries(tradepost.db, nextClaim)
  expect(claimedNext.every((row) => row.endpoint_id === lastEndpoint)).toBe(true)
  expect(claimedNext).toHaveLength(10)
  const skippingClaim = { ...RETRY_CLAIM, skippedStores: [live, other] }
  expect(await claimRetries(tradepost.db, skippingClaim)).toEqual([])
})

test('a claim of due retries continues with the endpoint after the last claimed one, and skips a store with a full share', async () => {
  await dispatcher.stop()
  for (const path of ['/a', '/b']) await createEndpoint(tradepost.live, path)
  await createEndpoint(tradepost.other, '/c')
  await emit(tradepost.live, 10)
  await emit(tradepost.other, 4)
  await moveEventsToRetries()
  const endpoints = await tradepost.db
    .selectFrom('webhook_endpoint')
    .select('id')
    .orderBy('id')
    .execute()
  const [endpointA, endpointB, endpointC] = endpoints.map(({ id }) => id)
  const queues = createEndpointQueues(100, () => {})
  const options = { ...FAIL_ON_ERROR, queues, capacity: () => 12 }
  const claims = createClaims(tradepost.app, options)
  const claimEndpoints = async () => {
    let deliveries: LeasedDelivery[] = []
    await until(async () => {
      deliveries = await claims.claim(0)
      return deliveries.length > 0
    })
    return deliveries.map((item) => item.endpoint_id).sort()
  }
  // Each store gets a quarter of the capacity.
  expect(await claimEndpoints()).toEqual([...Array(3).fill(endpointA), ...Array(3).fill(endpointC)])
  await tradepost.db
    .deleteFrom('webhook_retry')
    .where('endpoint_id', '=', endpointC ?? 0)
    .execute()
  expect(await claimEndpoints()).toEqual(Array(3).fill(endpointA))
  expect(await claimEndpoints()).toEqual(Array(3).fill(endpointB))
  addHangingWork(queues, (await eventSourceOf(tradepost.live)).id, 50)
  // New claims query at once: claims that found nothing would pause first.
  expect(await createClaims(tradepost.app, options).claim(0)).toEqual([])
})

test('a claim takes a limited number of events of each store, and fewer if its endpoints have few free slots', async () => {
  await dispatcher.stop()
  await createEndpoint(tradepost.live, '/one')
  await createEndpoint(tradepost.live, '/two')
  await emit(tradepost.live, 80)
  const store_id = (await eventSourceOf(tradepost.live)).id
  const ids = await tradepost.db.selectFrom('webhook_endpoint').select('id').orderBy('id').execute()
  const claim = (slots: number[], attemptsPerEvent = 1) =>
    claimEvents(tradepost.db, {
      ...EVENT_CLAIM,
      capacity: slots.map((count, index) => ({
        store_id,
        endpoint_id: ids[index]?.id ?? 0,
        slots: count,
      })),
      attemptsPerEvent,
      perStore: { min: 12, max: 25 },
      eventsMax: 100,
      attemptsMax: 100,
    })
  expect(await claim([0, 0])).toHaveLength(0)
  // An endpoint's queue is as long as the number of its free slots.
  expect(await claim([0, 3])).toHaveLength(6)
  // If both endpoints are subscribed, the claim is limited by the one with more free slots.
  expect(await claim([0, 3], 2)).toHaveLength(6)
  expect(await claim([3, 3], 2)).toHaveLength(6)
  expect(await claim([0])).toHaveLength(20)
  expect(await claim([])).toHaveLength(25)
})

test('fewer large payloads are claimed at once, for first attempts and for retries', async () => {
  await dispatcher.stop()
  await createEndpoint(tradepost.live, '/one')
  const store = await eventSourceOf(tradepost.live)
  for (let n = 0; n < 3; n++) {
    const event = sampleEvent('order.created', 'EUR')
    Object.assign(event.object, { text: 'x'.repeat(PAYLOAD_BYTES_MAX / 2) })
    const record = (tx: Tx) =>
      tradepost.app.ledger.record(tx, store, new Date().toISOString(), [event])
    await inTransaction(tradepost.db, record)
  }
  const queues = createEndpointQueues(1_000, () => {})
  const claims = createClaims(tradepost.app, { ...FAIL_ON_ERROR, queues, capacity: () => 1_000 })
  const [first, second] = [await claims.claim(0), await claims.claim(0)]
  expect([first, second].map((deliveries) => deliveries.length)).toEqual([2, 1])

  const deliveries = [...first, ...second]
  await insertDueRetries(
    tradepost.db,
    deliveries.map(({ store_id, endpoint_id, delivery_id }) => ({
      store_id,
      endpoint_id,
      delivery_id,
    })),
  )
  expect(await claimRetries(tradepost.db, RETRY_CLAIM)).toHaveLength(2)
  expect(await claimRetries(tradepost.db, RETRY_CLAIM)).toHaveLength(1)
})

test('a store without free slots leaves its share to the others', async () => {
  await dispatcher.stop()
  await createEndpoint(tradepost.other, '/full')
  await createEndpoint(tradepost.live, '/fine')
  await emit(tradepost.other, 30)
  await emit(tradepost.live, 30)
  const { id: store_id } = await eventSourceOf(tradepost.other)
  const fullEndpoint = await tradepost.db
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('store_id', '=', store_id)
    .executeTakeFirstOrThrow()
  const events = await claimEvents(tradepost.db, {
    ...EVENT_CLAIM,
    capacity: [{ store_id, endpoint_id: fullEndpoint.id, slots: 0 }],
    perStore: { min: 1, max: 200 },
    eventsMax: 24,
    attemptsMax: 24,
  })
  expect(events).toHaveLength(24)
})

test.each(['deleted', 'turned off'])(
  'deliveries to an endpoint that was %s are claimed while another endpoint of the store hangs',
  async (change) => {
    await dispatcher.stop()
    await createEndpoint(tradepost.live, '/hang')
    const { webhook } = (await createEndpoint(tradepost.live, '/gone')).json
    const store_id = (await eventSourceOf(tradepost.live)).id
    const [hangingEndpoint] = await tradepost.db
      .selectFrom('webhook_endpoint')
      .select('id as endpoint_id')
      .orderBy('id')
      .execute()
    const claim = () =>
      claimEvents(tradepost.db, {
        ...EVENT_CLAIM,
        capacity: [{ store_id, endpoint_id: hangingEndpoint?.endpoint_id ?? 0, slots: 0 }],
        perStore: { min: 12, max: 200 },
        eventsMax: 100,
        attemptsMax: 100,
      })
    await emit(tradepost.live, 25)
    if (change === 'deleted') await tradepost.delete(`/webhooks/${webhook.id}`)
    else await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
    tradepost.forward(1_000)
    await emit(tradepost.live, 5)
    expect(await claim()).toHaveLength(20)
    await tradepost.db.deleteFrom('webhook_fanout').where('lease_token', '<>', 0).execute()
    expect(await claim()).toHaveLength(10)
    await tradepost.db.deleteFrom('webhook_fanout').where('lease_token', '<>', 0).execute()
    // No delivery of the endpoint remains.
    await emit(tradepost.live, 5)
    expect(await claim()).toHaveLength(0)
  },
)

test('nothing is claimed for a store whose only endpoint hangs', async () => {
  await createEndpoint(tradepost.other, '/hang')
  await createEndpoint(tradepost.live, '/fine')
  await emit(tradepost.other, 500)
  await until(() => openResponses.length === 10)
  for (let n = 0; n < 20; n++) {
    await emit(tradepost.live, 1)
    await until(() => arrivedPaths.length === n + 1)
  }
  const { count } = await tradepost.db
    .selectFrom('webhook_retry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  // The first claim can be this large, because the endpoint still had free slots.
  expect(count).toBeLessThanOrEqual(200)
})

test('fewer events are claimed if each has many endpoints, and the next claim begins with the following store', async () => {
  await dispatcher.stop()
  for (let n = 0; n < ENDPOINTS; n++) await createEndpoint(tradepost.live, `/busy${n}`)
  await createEndpoint(tradepost.other, '/one')
  await emit(tradepost.live, 20)
  await emit(tradepost.other, 5)
  const queues = createEndpointQueues(1_000, () => {})
  const claims = createClaims(tradepost.app, { ...FAIL_ON_ERROR, queues, capacity: () => 60 })
  const [live, other] = await storeIds()
  const storesOf = (deliveries: LeasedDelivery[]) => deliveries.map((item) => item.store_id)
  // The first claim keeps half of the capacity for retries.
  expect(storesOf(await claims.claim(0))).toEqual(Array(2 * ENDPOINTS).fill(live))
  expect(storesOf(await claims.claim(0))).toContain(other)
})
