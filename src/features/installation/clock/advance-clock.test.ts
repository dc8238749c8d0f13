import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { openReceiver } from '../../../../test/receiver.ts'
import { until } from '../../../../test/until.ts'
import { type ClockFollower, storeNow as timeOf } from '../../../app.ts'
import { addSeconds, HOUR_MS, MINUTE_MS } from '../../../kernel/time.ts'
import { startDispatcher } from '../../webhooks/index.ts'
import { findNamedStore } from '../stores/index.ts'
import { type AdvanceOptions, advanceClock } from './advance-clock.ts'
import { clockCommands } from './index.ts'

/** An address without a listener. */
const SILENT_URL = 'http://127.0.0.1:4999/'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const advance = (store: string, duration: string): Promise<Json> =>
  clockCommands[0]?.run(tradepost.app, { store, duration }) ??
  Promise.reject(new Error('No command.'))
/** Returns the store time, from the creation time of a new product. */
const storeNow = async () => {
  const created = await tradepost.post(
    '/products',
    { name: 'P', price_cents: 1 },
    { as: tradepost.test },
  )
  return Date.parse(created.json.product.created_at)
}

test('two concurrent advances add up', async () => {
  const startedAt = await storeNow()
  await Promise.all([advance(tradepost.test.id, '2h'), advance(tradepost.test.id, '3h')])
  const hours = Math.round(((await storeNow()) - startedAt) / HOUR_MS)
  expect(hours).toBe(5)
})

test('a clock can be at most ten years ahead', async () => {
  await expect(advance(tradepost.test.id, '100000000d')).rejects.toThrow('ten years')
  expect(Number.isNaN(await storeNow())).toBe(false)
})

test('the clock of a live side cannot be moved', async () => {
  await expect(advance(tradepost.live.id, '1h')).rejects.toThrow('live')
})

test('records that are too old at the new time are deleted after the advance', async () => {
  const asTest = { as: tradepost.test }
  const receiver = await openReceiver()
  const dispatcher = startDispatcher(tradepost.app)
  const body = { url: receiver.url, events: ['order.created'] }
  const { webhook } = (await tradepost.post('/webhooks', body, asTest)).json
  const { id } = await product(tradepost, { type: 'service' }, asTest)
  await order(tradepost, id, {}, asTest)
  await receiver.until(1)
  const listDeliveries = async (): Promise<Json[]> =>
    (await tradepost.get('/events/deliveries?limit=100', asTest)).json.deliveries
  expect(await listDeliveries()).toHaveLength(1)
  await advance(tradepost.test.id, '31d')
  expect(await listDeliveries()).toEqual([])
  await tradepost.delete(`/webhooks/${webhook.id}`, asTest)
  await dispatcher.stop()
  await receiver.close()
})

describe('due webhooks', () => {
  const asTest = () => ({ as: tradepost.test })
  const testSide = async () => await findNamedStore(tradepost.app, { store: tradepost.test.id })
  const advanceTenMinutes = async (options: AdvanceOptions) =>
    advanceClock(tradepost.app, await testSide(), 10 * MINUTE_MS, options)

  /** Creates a webhook endpoint and this many due deliveries for it. Returns the endpoint. */
  async function createDueDeliveries(count: number, url: string): Promise<Json> {
    const body = { url, events: ['order.created'] }
    const { webhook } = (await tradepost.post('/webhooks', body, asTest())).json
    const { id } = await product(tradepost, { type: 'service' }, asTest())
    for (let n = 0; n < count; n++) await order(tradepost, id, {}, asTest())
    return webhook
  }

  test('fail the command if they do not end, and the error has their number and the remaining time', async () => {
    const { id } = await createDueDeliveries(3, SILENT_URL)
    const startedAt = await storeNow()
    const advanced = advanceTenMinutes({ stallTimeout_ms: 300 })
    await expect(advanced).rejects.toMatchObject({ exitCode: 1 })
    await expect(advanced).rejects.toThrow(
      /^Webhooks that are due or running: 3\. None ended within/,
    )
    await expect(advanced).rejects.toThrow(
      /; 600 s of the requested advance remain\. Repeat the command with 600s\.$/,
    )
    expect((await storeNow()) - startedAt).toBeLessThan(MINUTE_MS)
    await tradepost.delete(`/webhooks/${id}`, asTest())
  })

  test('do not delay the command after its caller disconnected', async () => {
    const { id } = await createDueDeliveries(1, SILENT_URL)
    const caller = new AbortController()
    const advanced = advanceTenMinutes({ signal: caller.signal })
    caller.abort()
    await expect(advanced).rejects.toThrow(
      /^Stopped\. It is .* 600 s of the requested advance remain\. Repeat the command with 600s\.$/,
    )
    await tradepost.delete(`/webhooks/${id}`, asTest())
  })

  test('delay the command as long as they end one after the other', async () => {
    const PATIENCE_MS = 3_000
    const ANSWER_MS = 400
    const receiver = await openReceiver()
    receiver.answer((response) => {
      setTimeout(() => response.writeHead(500).end(), ANSWER_MS)
    })
    const dispatcher = startDispatcher(tradepost.app)
    // A failing receiver gets one attempt at a time, so these attempts together take twice the limit.
    const count = 10 + (2 * PATIENCE_MS) / ANSWER_MS
    const { id } = await createDueDeliveries(count, receiver.url)
    try {
      await advanceClock(tradepost.app, await testSide(), 1_000, { stallTimeout_ms: PATIENCE_MS })
      const { json } = await tradepost.get('/events/deliveries?limit=100', asTest())
      const deliveries: Json[] = json.deliveries.filter((item: Json) => item.webhook.id === id)
      expect(deliveries).toHaveLength(count)
      for (const { status, attempts } of deliveries)
        expect([status, attempts]).toEqual(['pending', 1])
    } finally {
      await dispatcher.stop()
      await tradepost.delete(`/webhooks/${id}`, asTest())
      await receiver.close()
    }
  })
})

describe('a caller who disconnects', () => {
  // Else the seconds that remain would depend on the time between two steps.
  beforeAll(() => tradepost.stopClock())

  /** Work that is due every minute. The second time, it ends when the caller has disconnected. */
  function openMinuteWork() {
    let runs = 0
    let reportRunning = () => {}
    const isRunning = new Promise<void>((resolve) => {
      reportRunning = resolve
    })
    const follower: ClockFollower = {
      nextDue: async (app, store) => addSeconds(timeOf(app, store), 60),
      async runDue(_app, { signal }) {
        if (++runs !== 2) return
        reportRunning()
        if (!signal.aborted) await once(signal, 'abort')
      },
    }
    const { app } = tradepost
    const { clockFollowers } = app
    app.clockFollowers = [...clockFollowers, follower]
    return {
      isRunning,
      close() {
        app.clockFollowers = clockFollowers
      },
    }
  }

  test('stops a command before its next step', async () => {
    const work = openMinuteWork()
    const caller = new AbortController()
    const side = await findNamedStore(tradepost.app, { store: tradepost.test.id })
    const startedAt = await storeNow()
    const advanced = advanceClock(tradepost.app, side, HOUR_MS, { signal: caller.signal })
    void work.isRunning.then(() => caller.abort())
    await expect(advanced).rejects.toThrow(
      /^Stopped\. It is .* 3540 s of the requested advance remain\. Repeat the command with 3540s\.$/,
    )
    expect((await storeNow()) - startedAt).toBe(MINUTE_MS)
    work.close()
  })

  test('stops a call before its next step, and a repeated call gets the time that remains', async () => {
    const work = openMinuteWork()
    await tradepost.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = tradepost.server.server.address() as AddressInfo
    const body = { advance: '1h' }
    const key = { 'idempotency-key': 'disconnected' }
    const { id, api_key } = tradepost.test
    const call = request({
      ...{ host: '127.0.0.1', port, path: '/v1/account/test-clock', method: 'POST' },
      headers: {
        ...{ ...key, 'x-api-key': api_key, 'x-store-hash': id },
        'content-type': 'application/json',
      },
    })
    call.on('error', () => {})
    const startedAt = await storeNow()
    call.end(JSON.stringify(body))
    await work.isRunning
    call.destroy()
    let repeated: Json
    await until(async () => {
      const options = { as: tradepost.test, headers: key }
      repeated = (await tradepost.post('/account/test-clock', body, options)).json
      return repeated.code !== 'IDEMPOTENCY_IN_PROGRESS'
    })
    expect(repeated.code).toBe('INVALID_STATE')
    expect(repeated.error).toMatch(
      /^The caller disconnected\. Stopped\. It is .* 3540 s of the requested advance remain\./,
    )
    expect((await storeNow()) - startedAt).toBe(MINUTE_MS)
    work.close()
  })
})
