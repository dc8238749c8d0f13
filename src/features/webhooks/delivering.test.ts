import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keysNamed, order, product, type Stocked } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
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
let base: string
/** The requests that arrived, and the status to answer by path. */
let calls: Call[] = []
const answers = new Map<string, number>()

beforeAll(async () => {
  tradepost = await openTradepost()
  receiver = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const { url: path = '', headers } = request
    calls.push({ path, headers, body, json: JSON.parse(body.toString()) })
    response.writeHead(answers.get(path) ?? 200, { location: `${base}/elsewhere` }).end('seen')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  dispatcher = startDispatcher(tradepost.app)
})
afterAll(async () => {
  await dispatcher.stop()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
  await tradepost.close()
})
beforeEach(async () => {
  await clock('1s')
  calls = []
})
afterEach(async () => {
  const { webhooks } = (await tradepost.get('/webhooks?limit=100', as())).json
  for (const { id } of webhooks) await tradepost.delete(`/webhooks/${id}`, as())
})

/** Moves the clock of the test side; returns when all that became due has run. */
async function clock(duration: string): Promise<void> {
  await clockCommands[0]?.run(tradepost.app, { store: tradepost.test.id, duration })
}

const as = () => ({ as: tradepost.test })
let paths = 0

/** An endpoint of the test side with a path of its own, answered with this status. */
async function endpoint(status: number, fields: Json = {}): Promise<Json> {
  const path = `/hook${++paths}`
  answers.set(path, status)
  const body = { url: base + path, events: ['order.created'], ...fields }
  const { json } = await tradepost.post('/webhooks', body, as())
  return { ...json.webhook, secret: json.secret, path }
}

const log = async (query: string): Promise<Json[]> =>
  (await tradepost.get(`/events/deliveries?limit=100&${query}`, as())).json.deliveries
const show = async ({ id }: Json): Promise<Json> =>
  (await tradepost.get('/webhooks?limit=100', as())).json.webhooks.find(
    (item: Json) => item.id === id,
  )
const service = (): Promise<Stocked> => product(tradepost, { type: 'service' }, as())

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + MINUTE_MS
  while (!(await done())) {
    if (Date.now() > end) throw new Error('It did not happen within a minute.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('what arrives', () => {
  test('is signed over its bytes, named in its headers, and shaped as the specification says', async () => {
    const hook = await endpoint(204, { events: ['order.completed'] })
    const game = await product(
      tradepost,
      { price_cents: 1999 },
      { keys: keysNamed('E2E', 1), ...as() },
    )
    const made = await order(tradepost, game.id, { mark_paid: true }, as())
    await until(async () => (await log(`webhook_id=${hook.id}&status=succeeded`)).length === 1)

    expect(calls).toHaveLength(1)
    const [{ headers, body, json }] = calls as [Call]
    const now_s = Math.floor(Date.now() / 1000)
    const signature = String(headers['service-signature'])
    expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    expect(Math.abs(now_s - Number(/t=(\d+)/.exec(signature)?.[1]))).toBeLessThan(30)
    expect(verifySignature(hook.secret, signature, body, now_s)).toBe(true)
    expect(
      verifySignature(hook.secret, signature, Buffer.concat([body, Buffer.from(' ')]), now_s),
    ).toBe(false)
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
      created: Math.floor(Date.parse(made.completed_at) / 1000),
      livemode: false,
      store: { id: tradepost.test.id, name: 'Here', slug: 'here' },
      data: {
        object: expect.objectContaining({
          object: 'order',
          id: made.id,
          status: 'completed',
          total: 19.99,
          paid_amount: 19.99,
          items: [
            { product_id: game.id, name: 'Game', quantity: 1, unit_price: 19.99, total: 19.99 },
          ],
          deliveries: [
            {
              product_id: game.id,
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
    expect(await log(`webhook_id=${hook.id}`)).toMatchObject([
      {
        status: 'succeeded',
        attempts: 1,
        next_attempt_at: null,
        last_status_code: 204,
        last_error: null,
        event: { id: json.id, object_id: made.id },
      },
    ])
    const [{ last_duration_ms, updated_at }] = (await log(`webhook_id=${hook.id}`)) as [Json]
    expect((await show(hook)).stats).toEqual({
      total: 1,
      succeeded: 1,
      failed: 0,
      pending: 0,
      success_rate: 1,
      average_duration_ms: last_duration_ms,
      last_delivery_at: updated_at,
    })
  })

  test('is sent once to each subscribed endpoint, and to none that is off or has other events', async () => {
    const a = await endpoint(200)
    const b = await endpoint(200, { events: ['*'] })
    await endpoint(200, { events: ['order.cancelled'] })
    const off = await endpoint(200, { enabled: false })
    await order(tradepost, (await service()).id, { customer: { email: 'ada@example.com' } }, as())
    await until(() => calls.filter((call) => call.path === b.path).length >= 1)
    await clock('1s')
    const orders = calls.filter((call) => call.json.type === 'order.created')
    expect(orders.map((call) => call.path).sort()).toEqual([a.path, b.path].sort())
    expect(new Set(orders.map((call) => call.json.id)).size).toBe(1)
    await tradepost.patch(`/webhooks/${off.id}`, { enabled: true }, as())
    await clock('1h')
    expect(calls.filter((call) => call.path === off.path)).toEqual([])
    expect(await log(`webhook_id=${off.id}`)).toEqual([])
  })
})

test('a webhook that moves gets the next event where it is now, and nothing where it was', async () => {
  const hook = await endpoint(200)
  const { id } = await service()
  const buy = () => order(tradepost, id, { customer: { email: 'ada@example.com' } }, as())
  const arrivedAt = (path: string) => calls.filter((call) => call.path === path).length
  await buy()
  await until(() => arrivedAt(hook.path) === 1)

  await tradepost.patch(`/webhooks/${hook.id}`, { url: `${base}/moved` }, as())
  await buy()
  await until(() => arrivedAt('/moved') === 1)
  await tradepost.patch(`/webhooks/${hook.id}`, { enabled: false }, as())
  await buy()
  await clock('1s')
  expect([arrivedAt(hook.path), arrivedAt('/moved')]).toEqual([1, 1])
})

describe('a receiver that fails', () => {
  test('is tried seven times on the exact schedule with the same bytes, and then given up', async () => {
    const hook = await endpoint(500)
    await order(tradepost, (await service()).id, {}, as())
    await until(async () => (await log(`webhook_id=${hook.id}`))[0]?.attempts === 1)
    const minutes = [1, 5, 30, 120, 360, 720]
    for (const [at, wait] of minutes.entries()) {
      const [waiting] = await log(`webhook_id=${hook.id}`)
      expect(waiting).toMatchObject({ status: 'pending', attempts: at + 1, last_status_code: 500 })
      expect(waiting?.last_error).toMatch(/^http_status: /)
      const wait_ms = Date.parse(waiting?.next_attempt_at) - Date.parse(waiting?.updated_at)
      expect(wait_ms).toBe(wait * MINUTE_MS)
      await clock(`${wait * 60 - 30}s`)
      expect(calls).toHaveLength(at + 1)
      await clock('31s')
      expect(calls).toHaveLength(at + 2)
    }
    expect(await log(`webhook_id=${hook.id}`)).toMatchObject([
      { status: 'failed', attempts: 7, next_attempt_at: null },
    ])
    await clock('3d')
    expect(calls.map((call) => call.headers['service-delivery-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ])
    expect(new Set(calls.map((call) => call.body.toString())).size).toBe(1)
    expect(new Set(calls.map((call) => call.headers['service-event-id'])).size).toBe(1)
    for (const { headers, body } of calls) {
      const signature = String(headers['service-signature'])
      expect(verifySignature(hook.secret, signature, body, Math.floor(Date.now() / 1000))).toBe(
        true,
      )
    }
    expect((await show(hook)).stats).toMatchObject({ total: 1, failed: 1, success_rate: 0 })
  })

  test('once is sent again after a minute, and a success ends it', async () => {
    const hook = await endpoint(503)
    await order(tradepost, (await service()).id, {}, as())
    await until(async () => (await log(`webhook_id=${hook.id}`))[0]?.attempts === 1)
    answers.set(hook.path, 200)
    await clock('61s')
    expect(await log(`webhook_id=${hook.id}`)).toMatchObject([
      { status: 'succeeded', attempts: 2, last_status_code: 200, last_error: null },
    ])
    await clock('3d')
    expect(calls).toHaveLength(2)
  })

  test.each([301, 302, 307, 308, 410, 404])(
    'with %i is one that fails; no redirect is followed',
    async (status) => {
      const hook = await endpoint(status)
      await order(tradepost, (await service()).id, {}, as())
      await until(async () => (await log(`webhook_id=${hook.id}`))[0]?.attempts === 1)
      expect(await log(`webhook_id=${hook.id}`)).toMatchObject([
        { status: 'pending', last_status_code: status },
      ])
      expect(calls.map((call) => call.path)).toEqual([hook.path])
    },
  )

  test('and is not there has no status, and an error without an address', async () => {
    const hook = await endpoint(200)
    await tradepost.patch(
      `/webhooks/${hook.id}`,
      { url: `http://127.0.0.1:${await closedPort()}/` },
      as(),
    )
    await order(tradepost, (await service()).id, {}, as())
    await until(async () => (await log(`webhook_id=${hook.id}`))[0]?.attempts === 1)
    const [failed] = await log(`webhook_id=${hook.id}`)
    expect(failed).toMatchObject({ status: 'pending', last_status_code: null })
    expect(failed?.last_error).toMatch(/^connection_refused: [A-Z].*\.$/)
    expect(failed?.last_error).not.toContain('127.0.0.1')
  })

  test('forty times in a row is turned off at the fortieth; turned on, its row begins anew', async () => {
    const hook = await endpoint(500)
    const game = await service()
    const create = async (count: number) => {
      for (let n = 0; n < count; n++) await order(tradepost, game.id, {}, as())
      await clock('1s')
    }
    await create(39)
    expect(calls).toHaveLength(39)
    expect(await show(hook)).toMatchObject({ enabled: true, disabled_reason: null })
    await create(1)
    const off = await show(hook)
    expect(off).toMatchObject({ enabled: false, disabled_reason: 'failures' })
    expect(off.disabled_at).toMatch(/Z$/)
    const parked = await log(`webhook_id=${hook.id}`)
    expect(parked).toHaveLength(40)
    for (const item of parked)
      expect(item).toMatchObject({ status: 'pending', next_attempt_at: null })
    await create(1)
    await clock('1h')
    expect(calls).toHaveLength(40)
    expect(await log(`webhook_id=${hook.id}`)).toHaveLength(40)

    answers.set(hook.path, 200)
    const on = await tradepost.patch(`/webhooks/${hook.id}`, { enabled: true }, as())
    expect(on.json.webhook).toMatchObject({
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
    })
    await clock('1s')
    expect(await log(`webhook_id=${hook.id}&status=succeeded`)).toHaveLength(40)
    expect((await show(hook)).stats).toMatchObject({ succeeded: 40, failed: 0, pending: 0 })
  })
})

describe('an endpoint that is turned off manually', () => {
  test('keeps what waits for it, and gets it when it is on again', async () => {
    const hook = await endpoint(500)
    await order(tradepost, (await service()).id, {}, as())
    await until(async () => (await log(`webhook_id=${hook.id}`))[0]?.attempts === 1)
    await tradepost.patch(`/webhooks/${hook.id}`, { enabled: false }, as())
    await clock('20h')
    expect(calls).toHaveLength(1)
    expect(await log(`webhook_id=${hook.id}`)).toMatchObject([
      { status: 'pending', attempts: 1, next_attempt_at: null },
    ])
    answers.set(hook.path, 200)
    await tradepost.patch(`/webhooks/${hook.id}`, { enabled: true }, as())
    await clock('1s')
    expect(await log(`webhook_id=${hook.id}`)).toMatchObject([{ status: 'succeeded', attempts: 2 }])
  })

  test('for longer than 21 hours gets nothing any more: it ended as failed, and counts as such', async () => {
    const hook = await endpoint(500)
    await order(tradepost, (await service()).id, {}, as())
    await until(async () => (await log(`webhook_id=${hook.id}`))[0]?.attempts === 1)
    await tradepost.patch(`/webhooks/${hook.id}`, { enabled: false }, as())
    await clock('22h')
    answers.set(hook.path, 200)
    await tradepost.patch(`/webhooks/${hook.id}`, { enabled: true }, as())
    await clock('1h')
    expect(calls).toHaveLength(1)
    expect(await log(`webhook_id=${hook.id}`)).toMatchObject([
      { status: 'failed', attempts: 1, next_attempt_at: null },
    ])
    expect((await show(hook)).stats).toMatchObject({ total: 1, failed: 1, pending: 0 })
  })
})

test('statistics cover the past seven days, and nothing before', async () => {
  const hook = await endpoint(200)
  await order(tradepost, (await service()).id, {}, as())
  await until(async () => (await log(`webhook_id=${hook.id}&status=succeeded`)).length === 1)
  await clock('6d')
  expect((await show(hook)).stats).toMatchObject({ total: 1, succeeded: 1, success_rate: 1 })
  await order(tradepost, (await service()).id, {}, as())
  await until(async () => (await log(`webhook_id=${hook.id}&status=succeeded`)).length === 2)
  expect((await show(hook)).stats).toMatchObject({ total: 2, succeeded: 2 })
  await clock('26h')
  expect((await show(hook)).stats).toMatchObject({ total: 1, succeeded: 1 })
  await clock('6d')
  const counts = { total: 0, succeeded: 0, failed: 0, pending: 0 }
  const none = { success_rate: null, average_duration_ms: null, last_delivery_at: null }
  expect((await show(hook)).stats).toEqual({ ...counts, ...none })
})

test('a sample is signed with the real time, however far the clock was moved', async () => {
  const hook = await endpoint(200)
  await clock('2d')
  expect((await tradepost.post(`/webhooks/${hook.id}/test`, {}, as())).json.result.ok).toBe(true)
  const [{ headers, body }] = calls as [Call]
  const header = String(headers['service-signature'])
  expect(verifySignature(hook.secret, header, body, Math.floor(Date.now() / 1000))).toBe(true)
})

test('the clock moved over a day sends every try on its way, at its own time', async () => {
  const hook = await endpoint(500)
  await order(tradepost, (await service()).id, {}, as())
  await clock('30h')
  expect(calls).toHaveLength(7)
  const [ended] = await log(`webhook_id=${hook.id}`)
  expect(ended).toMatchObject({ status: 'failed', attempts: 7 })
  const took_ms = Date.parse(ended?.updated_at) - Date.parse(ended?.created_at)
  expect(took_ms).toBeGreaterThanOrEqual(20 * HOUR_MS + 36 * MINUTE_MS)
  expect(took_ms).toBeLessThan(1.02 * (20 * HOUR_MS + 36 * MINUTE_MS))
})
