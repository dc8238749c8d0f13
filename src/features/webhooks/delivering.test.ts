import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../test/build.ts'
import { now_s } from '../../../test/clock.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { keepPort } from '../../../test/ports.ts'
import { until } from '../../../test/until.ts'
import { HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import { verifySignature } from '../../sender/signature.ts'
import { clockCommands } from '../installation/clock/index.ts'
import { type Dispatcher, startDispatcher } from './index.ts'

interface Call {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  json: Json
}

let tradepost: Tradepost
let dispatcher: Dispatcher
let receiver: Server
let baseUrl: string
let serviceId: string
/** The received requests. */
let calls: Call[] = []
/** The status with which a path is answered, instead of 200. */
const statusByPath = new Map<string, number>()

beforeAll(async () => {
  tradepost = await openTradepost()
  // On a slow machine a wait needs more calls than the usual limit.
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
  receiver = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const { url: path = '', headers } = request
    calls.push({ path, headers, body, json: JSON.parse(body.toString()) })
    response
      .writeHead(statusByPath.get(path) ?? 200, { location: `${baseUrl}/elsewhere` })
      .end('seen')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  dispatcher = startDispatcher(tradepost.app)
  serviceId = (await product(tradepost, { type: 'service' }, as())).id
})
afterAll(async () => {
  await dispatcher.stop()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
  await tradepost.close()
})
beforeEach(async () => {
  await advanceClock('1s')
  calls = []
})
afterEach(async () => {
  const { webhooks } = (await tradepost.get('/webhooks?limit=100', as())).json
  for (const { id } of webhooks) await tradepost.delete(`/webhooks/${id}`, as())
})

/** Advances the clock of the test side, and waits until all due work has run. */
async function advanceClock(duration: string): Promise<void> {
  await clockCommands[0]?.run(tradepost.app, { store: tradepost.test.id, duration })
}

const as = () => ({ as: tradepost.test })
let endpointCount = 0

/** Creates an endpoint of the test side, whose path is answered with this status. */
async function createEndpoint(status: number, fields: Json = {}): Promise<Json> {
  const path = `/hook${++endpointCount}`
  statusByPath.set(path, status)
  const body = { url: baseUrl + path, events: ['order.created'], ...fields }
  const { json } = await tradepost.post('/webhooks', body, as())
  return { ...json.webhook, secret: json.secret, path }
}

const deliveriesOf = async ({ id }: Json, query = ''): Promise<Json[]> =>
  (await tradepost.get(`/events/deliveries?limit=100&webhook_id=${id}&${query}`, as())).json
    .deliveries
const getEndpoint = async ({ id }: Json): Promise<Json> =>
  (await tradepost.get('/webhooks?limit=100', as())).json.webhooks.find(
    (item: Json) => item.id === id,
  )
const statsOf = async (endpoint: Json): Promise<Json> => (await getEndpoint(endpoint)).stats
const patchEndpoint = ({ id }: Json, fields: Json) =>
  tradepost.patch(`/webhooks/${id}`, fields, as())
const callsAt = (path: string) => calls.filter((call) => call.path === path).length
const isSigned = ({ headers, body }: Pick<Call, 'headers' | 'body'>, secret: string) =>
  verifySignature(secret, String(headers['service-signature']), body, now_s())
const createOrder = () => order(tradepost, serviceId, {}, as())

/** Waits until the only delivery of an endpoint had its first attempt. */
const untilAttempted = (endpoint: Json) =>
  until(async () => (await deliveriesOf(endpoint))[0]?.attempts === 1)
const untilSucceeded = (endpoint: Json, count: number) =>
  until(async () => (await deliveriesOf(endpoint, 'status=succeeded')).length === count)

describe('a delivery', () => {
  test('is signed over its bytes, identified in its headers, and has the specified shape', async () => {
    const endpoint = await createEndpoint(204, { events: ['order.completed'] })
    const keys = keysNamed('E2E', 1)
    const game = await product(tradepost, { price_cents: 1999 }, { keys, ...as() })
    const newOrder = await order(tradepost, game.id, { mark_paid: true }, as())
    await untilSucceeded(endpoint, 1)

    expect(calls).toHaveLength(1)
    const [{ headers, body, json }] = calls as [Call]
    const signature = String(headers['service-signature'])
    expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    const age_s = now_s() - Number(/t=(\d+)/.exec(signature)?.[1])
    expect(Math.abs(age_s)).toBeLessThan(60)
    expect(isSigned({ headers, body }, endpoint.secret)).toBe(true)
    const longerBody = Buffer.concat([body, Buffer.from(' ')])
    expect(isSigned({ headers, body: longerBody }, endpoint.secret)).toBe(false)
    expect(headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'service-event-id': json.id,
      'service-event-type': 'order.completed',
      'service-delivery-attempt': '1',
    })
    expect(json).toEqual({
      id: expect.stringMatching(/^evt_/),
      object: 'event',
      type: 'order.completed',
      created: Math.floor(Date.parse(newOrder.completed_at) / 1000),
      livemode: false,
      store: { id: tradepost.test.id, name: 'Here', slug: 'here' },
      data: {
        object: expect.objectContaining({
          object: 'order',
          id: newOrder.id,
          status: 'completed',
          total: 19.99,
          paid_amount: 19.99,
          items: [
            {
              product_id: game.id,
              variant_id: game.variantId,
              name: 'Game',
              variant_name: 'Default',
              sku: null,
              bundle: null,
              quantity: 1,
              unit_price: 19.99,
              total: 19.99,
            },
          ],
          deliveries: [
            {
              order_item_id: newOrder.items[0].id,
              product_id: game.id,
              variant_id: game.variantId,
              type: 'serial',
              keys: ['E2E-000001'],
              keys_count: 1,
              files: [],
              text: null,
            },
          ],
        }),
      },
    })
    expect(await deliveriesOf(endpoint)).toMatchObject([
      {
        status: 'succeeded',
        attempts: 1,
        next_attempt_at: null,
        last_status_code: 204,
        last_error: null,
        event: { id: json.id, object_id: newOrder.id },
      },
    ])
    const [{ last_duration_ms, updated_at }] = (await deliveriesOf(endpoint)) as [Json]
    expect(await statsOf(endpoint)).toEqual({
      total: 1,
      succeeded: 1,
      failed: 0,
      pending: 0,
      success_rate: 1,
      average_duration_ms: last_duration_ms,
      last_delivery_at: updated_at,
    })
  })

  test('is sent once to each subscribed endpoint, and to none that is off or subscribed to other events', async () => {
    const subscribedEndpoint = await createEndpoint(200)
    const subscribedToAll = await createEndpoint(200, { events: ['*'] })
    await createEndpoint(200, { events: ['order.cancelled'] })
    const disabledEndpoint = await createEndpoint(200, { enabled: false })
    await createOrder()
    await until(() => callsAt(subscribedToAll.path) >= 1)
    await advanceClock('1s')
    const orders = calls.filter((call) => call.json.type === 'order.created')
    const paths = orders.map((call) => call.path)
    expect(paths.sort()).toEqual([subscribedEndpoint.path, subscribedToAll.path].sort())
    expect(new Set(orders.map((call) => call.json.id)).size).toBe(1)
    await patchEndpoint(disabledEndpoint, { enabled: true })
    await advanceClock('1h')
    expect(callsAt(disabledEndpoint.path)).toBe(0)
    expect(await deliveriesOf(disabledEndpoint)).toEqual([])
  })
})

test('a moved endpoint gets the next event at its new address, and nothing at the old one', async () => {
  const endpoint = await createEndpoint(200)
  await createOrder()
  await until(() => callsAt(endpoint.path) === 1)

  await patchEndpoint(endpoint, { url: `${baseUrl}/moved` })
  await createOrder()
  await until(() => callsAt('/moved') === 1)
  await patchEndpoint(endpoint, { enabled: false })
  await createOrder()
  await advanceClock('1s')
  expect([callsAt(endpoint.path), callsAt('/moved')]).toEqual([1, 1])
})

describe('a receiver that fails', () => {
  test('gets seven attempts on the exact schedule with the same bytes, and the delivery then fails', async () => {
    const endpoint = await createEndpoint(500)
    await createOrder()
    await untilAttempted(endpoint)
    const minutes = [1, 5, 30, 120, 360, 720]
    for (const [index, wait_minutes] of minutes.entries()) {
      const [delivery] = await deliveriesOf(endpoint)
      const attempts = index + 1
      expect(delivery).toMatchObject({ status: 'pending', attempts, last_status_code: 500 })
      expect(delivery?.last_error).toMatch(/^http_status: /)
      const wait_ms = Date.parse(delivery?.next_attempt_at) - Date.parse(delivery?.updated_at)
      expect(wait_ms).toBe(wait_minutes * MINUTE_MS)
      await advanceClock(`${wait_minutes * 60 - 30}s`)
      expect(calls).toHaveLength(attempts)
      await advanceClock('31s')
      expect(calls).toHaveLength(attempts + 1)
    }
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: 'failed', attempts: 7, next_attempt_at: null },
    ])
    await advanceClock('3d')
    const attempts = calls.map(({ headers }) => Number(headers['service-delivery-attempt']))
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(new Set(calls.map((call) => call.body.toString())).size).toBe(1)
    expect(new Set(calls.map((call) => call.headers['service-event-id'])).size).toBe(1)
    for (const call of calls) expect(isSigned(call, endpoint.secret)).toBe(true)
    expect(await statsOf(endpoint)).toMatchObject({ total: 1, failed: 1, success_rate: 0 })
  })

  test('once gets another attempt after a minute, and a success ends the delivery', async () => {
    const endpoint = await createEndpoint(503)
    await createOrder()
    await untilAttempted(endpoint)
    statusByPath.set(endpoint.path, 200)
    await advanceClock('61s')
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: 'succeeded', attempts: 2, last_status_code: 200, last_error: null },
    ])
    await advanceClock('3d')
    expect(calls).toHaveLength(2)
  })

  test.each([301, 302, 307, 308, 410, 404])(
    'with %i is retried, and a redirect is not followed',
    async (status) => {
      const endpoint = await createEndpoint(status)
      await createOrder()
      await untilAttempted(endpoint)
      expect(await deliveriesOf(endpoint)).toMatchObject([
        { status: 'pending', last_status_code: status },
      ])
      expect(calls.map((call) => call.path)).toEqual([endpoint.path])
    },
  )

  test('because it is unreachable results in no status, and in an error without its address', async () => {
    const endpoint = await createEndpoint(200)
    await patchEndpoint(endpoint, { url: `http://127.0.0.1:${await keepPort()}/` })
    await createOrder()
    await untilAttempted(endpoint)
    const [failedDelivery] = await deliveriesOf(endpoint)
    expect(failedDelivery).toMatchObject({ status: 'pending', last_status_code: null })
    expect(failedDelivery?.last_error).toMatch(/^connection_refused: [A-Z].*\.$/)
    expect(failedDelivery?.last_error).not.toContain('127.0.0.1')
  })

  test('forty times in a row is turned off, and gets its pending deliveries when it is turned on', async () => {
    const endpoint = await createEndpoint(500)
    const createOrders = async (count: number) => {
      for (let n = 0; n < count; n++) await createOrder()
      await advanceClock('1s')
    }
    await createOrders(39)
    expect(calls).toHaveLength(39)
    expect(await getEndpoint(endpoint)).toMatchObject({ enabled: true, disabled_reason: null })
    await createOrders(1)
    const disabledEndpoint = await getEndpoint(endpoint)
    expect(disabledEndpoint).toMatchObject({ enabled: false, disabled_reason: 'failures' })
    expect(disabledEndpoint.disabled_at).toMatch(/Z$/)
    const parkedDeliveries = await deliveriesOf(endpoint)
    expect(parkedDeliveries).toHaveLength(40)
    for (const item of parkedDeliveries)
      expect(item).toMatchObject({ status: 'pending', next_attempt_at: null })
    await createOrders(1)
    await advanceClock('1h')
    expect(calls).toHaveLength(40)
    expect(await deliveriesOf(endpoint)).toHaveLength(40)

    statusByPath.set(endpoint.path, 200)
    const enableAnswer = await patchEndpoint(endpoint, { enabled: true })
    expect(enableAnswer.json.webhook).toMatchObject({
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
    })
    await advanceClock('1s')
    expect(await deliveriesOf(endpoint, 'status=succeeded')).toHaveLength(40)
    expect(await statsOf(endpoint)).toMatchObject({ succeeded: 40, failed: 0, pending: 0 })
  })
})

describe('an endpoint that is turned off manually', () => {
  test('keeps its pending deliveries, and gets them after it is turned on', async () => {
    const endpoint = await createEndpoint(500)
    await createOrder()
    await untilAttempted(endpoint)
    await patchEndpoint(endpoint, { enabled: false })
    await advanceClock('20h')
    expect(calls).toHaveLength(1)
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: 'pending', attempts: 1, next_attempt_at: null },
    ])
    statusByPath.set(endpoint.path, 200)
    await patchEndpoint(endpoint, { enabled: true })
    await advanceClock('1s')
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: 'succeeded', attempts: 2 }])
  })

  test('for longer than 21 hours gets none of its pending deliveries, which end and count as failed', async () => {
    const endpoint = await createEndpoint(500)
    await createOrder()
    await untilAttempted(endpoint)
    await patchEndpoint(endpoint, { enabled: false })
    await advanceClock('22h')
    statusByPath.set(endpoint.path, 200)
    await patchEndpoint(endpoint, { enabled: true })
    await advanceClock('1h')
    expect(calls).toHaveLength(1)
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: 'failed', attempts: 1, next_attempt_at: null },
    ])
    expect(await statsOf(endpoint)).toMatchObject({ total: 1, failed: 1, pending: 0 })
  })
})

test('statistics cover the past seven days', async () => {
  const endpoint = await createEndpoint(200)
  await createOrder()
  await untilSucceeded(endpoint, 1)
  await advanceClock('6d')
  expect(await statsOf(endpoint)).toMatchObject({ total: 1, succeeded: 1, success_rate: 1 })
  await createOrder()
  await untilSucceeded(endpoint, 2)
  expect(await statsOf(endpoint)).toMatchObject({ total: 2, succeeded: 2 })
  await advanceClock('26h')
  expect(await statsOf(endpoint)).toMatchObject({ total: 1, succeeded: 1 })
  await advanceClock('6d')
  const counts = { total: 0, succeeded: 0, failed: 0, pending: 0 }
  const emptyValues = { success_rate: null, average_duration_ms: null, last_delivery_at: null }
  expect(await statsOf(endpoint)).toEqual({ ...counts, ...emptyValues })
})

test('a sample is signed with the machine time, however far the clock of the store is ahead', async () => {
  const endpoint = await createEndpoint(200)
  await advanceClock('2d')
  const { json } = await tradepost.post(`/webhooks/${endpoint.id}/test`, {}, as())
  expect(json.result.ok).toBe(true)
  const [call] = calls as [Call]
  expect(isSigned(call, endpoint.secret)).toBe(true)
})

test('a clock advance of more than a day makes every due attempt at its due time', async () => {
  const endpoint = await createEndpoint(500)
  await createOrder()
  await advanceClock('30h')
  expect(calls).toHaveLength(7)
  const [endedDelivery] = await deliveriesOf(endpoint)
  expect(endedDelivery).toMatchObject({ status: 'failed', attempts: 7 })
  const duration_ms = Date.parse(endedDelivery?.updated_at) - Date.parse(endedDelivery?.created_at)
  expect(duration_ms).toBeGreaterThanOrEqual(20 * HOUR_MS + 36 * MINUTE_MS)
  expect(duration_ms).toBeLessThan(1.02 * (20 * HOUR_MS + 36 * MINUTE_MS))
})
