import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { verify } from '../../../../sdk/webhooks/index.ts'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../../test/receiver.ts'
import { type Input, plain, type Terminal } from '../../../command.ts'
import {
  type Dispatcher,
  removeSilentListenersJob,
  startDispatcher,
  webhookCommands,
} from '../index.ts'
import { BYTES_MAX } from './hand-over.ts'

const command = webhookCommands.find((item) => item.name === 'webhooks listen')

let tradepost: Tradepost
let receiver: Receiver
let dispatcher: Dispatcher
const runs: Run[] = []

beforeAll(async () => {
  // No address of this machine is allowed: the shop itself could send nothing here.
  tradepost = await openTradepost({ env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: 'nobody.example' } })
  dispatcher = startDispatcher(tradepost.app)
})
afterAll(async () => {
  await dispatcher.stop()
  await tradepost.close()
})
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  for (const run of runs.splice(0)) await run.stop()
  await receiver.close()
})

interface Run {
  /** The printed output, by line; with `--json` parsed. */
  lines: Json[]
  opened: { endpoint: string; secret: string }
  ended: Promise<unknown>
  stop(): Promise<unknown>
}

type Ask = Terminal['ask']

/** `tradepost webhooks listen --json`, until it is ready. */
async function listener(input: Input = {}, wrap = (ask: Ask): Ask => ask): Promise<Run> {
  const stopping = new AbortController()
  const lines: Json[] = []
  const ask: Ask = async (asked, signal = stopping.signal) =>
    // As the control socket carries it.
    JSON.parse(
      JSON.stringify((await command?.run?.(tradepost.app, asked, { emit() {}, signal })) ?? null),
    )
  const ended = command?.attend?.({
    input: { store: tradepost.live.id, forward: receiver.url, ...input },
    json: true,
    paint: plain,
    say: (text) => void lines.push(JSON.parse(text)),
    ask: wrap(ask),
    signal: stopping.signal,
  })
  ended?.catch(() => {})
  while (lines.length === 0) await Promise.race([pause(10), ended])
  const run: Run = {
    lines,
    opened: lines[0],
    ended: Promise.resolve(ended),
    stop() {
      stopping.abort()
      return run.ended.catch(() => {})
    },
  }
  runs.push(run)
  return run
}

const trigger = (type: string): Promise<Json> => {
  const one = webhookCommands.find(({ name }) => name === 'webhooks trigger')
  return (
    one?.run(tradepost.app, { store: tradepost.live.id, type }) ??
    Promise.reject(new Error('No command.'))
  )
}
const endpoints = async (): Promise<Json[]> => (await tradepost.get('/webhooks')).json.webhooks
const log = async (endpoint: string): Promise<Json[]> =>
  (await tradepost.get(`/events/deliveries?webhook_id=${endpoint}&limit=100`)).json.deliveries

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It did not come about.')
    await pause(20)
  }
}

test('each event reaches the address on this machine: the bytes of the event, signed with the secret that was shown', async () => {
  const { opened, lines } = await listener({ events: 'order.created,order.completed' })
  const game = await product(tradepost, {}, { keys: keysNamed(`L${Math.random()}`, 1) })
  const { id } = await order(tradepost, game.id)
  await tradepost.post(`/orders/${id}/manual-payments`, {})
  await receiver.until(2)

  for (const { headers, body } of receiver.received) {
    const event = await verify(body, headers, opened.secret)
    expect(event).toMatchObject({ id: headers['service-event-id'], data: { object: { id } } })
    const [same] = (await tradepost.payloads(event.type)).filter((item) => item.id === event.id)
    expect(JSON.stringify(same)).toBe(body)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'service-event-type': event.type,
      'service-delivery-attempt': '1',
    })
  }
  expect(lines.slice(1).map(({ type, status }) => ({ type, status }))).toEqual([
    { type: 'order.created', status: 200 },
    { type: 'order.completed', status: 200 },
  ])
  expect(lines[1]).toEqual({
    time: expect.stringMatching(/Z$/),
    type: 'order.created',
    id: receiver.received[0]?.headers['service-event-id'],
    delivery: expect.any(Number),
    status: 200,
    error: null,
    duration_ms: expect.any(Number),
  })
})

test('the answer of the receiver is in the delivery log', async () => {
  receiver.answer((response) => response.writeHead(500).end('no'))
  const { opened, lines } = await listener()
  await trigger('order.created')
  await until(async () => (await log(opened.endpoint))[0]?.status === 'failed')
  const [{ id }] = await log(opened.endpoint)
  const { json } = await tradepost.get(`/events/deliveries/${id}`)
  expect(json.delivery).toMatchObject({
    status: 'failed',
    attempts: 1,
    next_attempt_at: null,
    last_error: 'http_status: The receiver answered 500.',
    attempt_history: [{ attempt: 1, status_code: 500, response_body: 'no', manual: false }],
  })
  expect(lines[1]).toMatchObject({ status: 500, error: 'http_status: The receiver answered 500.' })
  expect(receiver.received).toHaveLength(1)
})

test('an address without a receiver is reported, and the next event is tried anyway', async () => {
  const { lines } = await listener({ forward: `http://127.0.0.1:${await closedPort()}/hook` })
  await trigger('order.created')
  await trigger('order.expired')
  await until(() => lines.length === 3)
  const refused = 'connection_refused: The receiver refused the connection.'
  expect(lines.slice(1)).toMatchObject([
    { type: 'order.created', status: null, error: refused },
    { type: 'order.expired', status: null, error: refused },
  ])
})

test('of hundreds of events that happen at once each comes exactly once', async () => {
  await listener()
  const sent = await Promise.all(Array.from({ length: 150 }, () => trigger('order.created')))
  await receiver.until(150)
  await pause(300)
  const ids = receiver.received.map(({ headers }) => headers['service-event-id'])
  expect([...ids].sort()).toEqual(sent.map(({ event }) => event).sort())
})

test('events that happen while the shop cannot be asked come when it can', async () => {
  let away = false
  const { lines } = await listener({}, (ask) => async (...asked) => {
    if (away) throw new Error('The server stopped before it answered.')
    return ask(...asked)
  })
  away = true
  const first = await trigger('order.created')
  const second = await trigger('order.created')
  await pause(100)
  away = false
  await until(() => lines.length === 3)
  expect(lines.slice(1).map(({ id }) => id)).toEqual([first.event, second.event])
})

test('an answer that was lost on its way is given again', async () => {
  let lost = 0
  const { lines } = await listener({}, (ask) => async (...asked) => {
    const answer: Json = await ask(...asked)
    if (answer?.deliveries?.length > 0 && lost++ === 0) throw new Error('The connection broke.')
    return answer
  })
  const { event } = await trigger('order.created')
  await until(() => lines.length === 2)
  expect(lost).toBe(2)
  expect(lines[1].id).toBe(event)
})

test('--events names the events that it is subscribed to', async () => {
  const { lines } = await listener({ events: 'order.expired, order.cancelled' })
  await trigger('order.created')
  await trigger('order.expired')
  await until(() => lines.length === 2)
  expect(lines[1].type).toBe('order.expired')
  expect((await endpoints())[0].events).toEqual(['order.expired', 'order.cancelled'])
})

test('an event that is too long for one answer comes whole, even if a part is lost on its way', async () => {
  let broken = 0
  const { opened } = await listener({ events: 'order.completed' }, (ask) => async (...asked) => {
    if (asked[0].step === 'part' && broken++ === 1) throw new Error('The connection broke.')
    return ask(...asked)
  })
  const long = 'x'.repeat(2_000)
  const keys = Array.from({ length: 400 }, (_, n) => `${long}${Math.random()}${n}`)
  const game = await product(tradepost)
  for (let from = 0; from < keys.length; from += 200) {
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    await tradepost.post(path, { keys: keys.slice(from, from + 200) })
  }
  const { id } = await order(tradepost, game.id, {
    items: [{ product_id: game.id, quantity: 400 }],
  })
  await tradepost.post(`/orders/${id}/manual-payments`, {})
  const [whole] = await receiver.until(1)
  if (!whole) throw new Error('The order was not told of.')
  expect(whole.body.length).toBeGreaterThan(2 * BYTES_MAX)
  expect(broken).toBeGreaterThan(4)
  const event = await verify(whole.body, whole.headers, opened.secret)
  if (event.type !== 'order.completed') throw new Error('Another event.')
  expect(event.data.object.deliveries[0]?.keys).toEqual(keys)
})

test('Ctrl+C removes the endpoint', async () => {
  const { stop, opened } = await listener()
  expect((await endpoints()).map(({ id }) => id)).toEqual([opened.endpoint])
  await stop()
  expect(await endpoints()).toEqual([])
})

test('a listener that was killed leaves no endpoint for longer than a minute', async () => {
  const opened: Json = await command?.run?.(tradepost.app, {
    ...{ store: tradepost.live.id, step: 'open', forward: receiver.url, events: ['*'] },
  })
  await trigger('order.created')
  await until(async () => (await log(opened.endpoint))[0]?.next_attempt_at === null)
  await removeSilentListenersJob.run(tradepost.app)
  expect(await endpoints()).toHaveLength(1)
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from listening_until - now())::float8 as seconds
      from webhook_endpoint where public_id = ${opened.endpoint}`.execute(tradepost.db)
  expect(rows[0]?.seconds).toBeLessThanOrEqual(60)

  await sql`update webhook_endpoint set listening_until = now() - interval '1 ms'
             where public_id = ${opened.endpoint}`.execute(tradepost.db)
  await removeSilentListenersJob.run(tradepost.app)
  expect(await endpoints()).toEqual([])
  expect(await log(opened.endpoint)).toMatchObject([{ status: 'cancelled' }])
})

test('a listener whose endpoint was deleted ends and says so', async () => {
  const { opened, ended } = await listener()
  await tradepost.delete(`/webhooks/${opened.endpoint}`)
  await trigger('order.created')
  await expect(ended).rejects.toThrow('The endpoint of this listener is gone')
})

test('forty failures do not turn a listener off', async () => {
  receiver.answer((response) => response.writeHead(500).end())
  const { opened } = await listener()
  for (let n = 0; n < 41; n++) await trigger('order.created')
  await receiver.until(41)
  await until(async () => (await log(opened.endpoint)).every(({ status }) => status === 'failed'))
  expect(await endpoints()).toMatchObject([{ id: opened.endpoint, enabled: true }])
})

test.each([
  [{ forward: 'localhost:3000' }, '--forward'],
  [{ forward: 'ftp://localhost/hook' }, '--forward'],
  [{ forward: 'http://me:secret@localhost/hook' }, '--forward'],
  [{ events: 'order.created,order.lost' }, 'order.lost'],
])('%j is wrong usage, and makes no endpoint', async (input, named) => {
  await expect(listener(input)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(named),
  })
  expect(await endpoints()).toEqual([])
})

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
