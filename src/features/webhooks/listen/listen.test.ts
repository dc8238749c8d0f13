import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { verify } from '../../../../sdk/webhooks/index.ts'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { keepPort } from '../../../../test/ports.ts'
import { openReceiver, type Receiver } from '../../../../test/receiver.ts'
import { elapse, until } from '../../../../test/until.ts'
import { type Input, plain, type Terminal } from '../../../command.ts'
import {
  type Dispatcher,
  removeSilentListenersJob,
  startDispatcher,
  webhookCommands,
} from '../index.ts'
import { BYTES_MAX } from './poll-deliveries.ts'

const command = webhookCommands.find((item) => item.name === 'webhooks listen')

let tradepost: Tradepost
let receiver: Receiver
let dispatcher: Dispatcher
const runs: Run[] = []

beforeAll(async () => {
  // The server may not send to this machine itself.
  tradepost = await openTradepost({ env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: 'nobody.example' } })
  // On a slow machine a wait needs more calls than the usual limit.
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
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
  listener: { endpoint: string; secret: string }
  completion: Promise<unknown>
  stop(): Promise<unknown>
}

type RunOnce = Terminal['runOnce']

/** Runs `tradepost webhooks listen --json` until it is ready. */
async function startListener(
  input: Input = {},
  wrap = (runOnce: RunOnce): RunOnce => runOnce,
): Promise<Run> {
  const stopping = new AbortController()
  const lines: Json[] = []
  const runOnce: RunOnce = async (question, signal = stopping.signal) =>
    // Serializes the answer, as the control socket does.
    JSON.parse(
      JSON.stringify(
        (await command?.run?.(tradepost.app, question, { emit() {}, signal })) ?? null,
      ),
    )
  const completion = command?.runAtTerminal?.({
    input: { store: tradepost.live.id, forward: receiver.url, ...input },
    json: true,
    paint: plain,
    printLine: (text) => void lines.push(JSON.parse(text)),
    runOnce: wrap(runOnce),
    signal: stopping.signal,
  })
  let hasEnded = false
  const markEnded = () => {
    hasEnded = true
  }
  completion?.then(markEnded, markEnded)
  await until(() => lines.length > 0 || hasEnded)
  if (lines.length === 0) await completion
  const run: Run = {
    lines,
    listener: lines[0],
    completion: Promise.resolve(completion),
    stop() {
      stopping.abort()
      return run.completion.catch(() => {})
    },
  }
  runs.push(run)
  return run
}

const trigger = (type: string): Promise<Json> => {
  const item = webhookCommands.find(({ name }) => name === 'webhooks trigger')
  return (
    item?.run(tradepost.app, { store: tradepost.live.id, type }) ??
    Promise.reject(new Error('No command.'))
  )
}
/** The endpoints of listeners, which the API does not list. */
const listEndpoints = async (): Promise<Json[]> =>
  (
    await sql<Json>`
      select public_id as id, events, enabled
        from webhook_endpoint
       where deleted_at is null and listening_until is not null`.execute(tradepost.db)
  ).rows
const listDeliveries = async (endpoint: string): Promise<Json[]> =>
  (await tradepost.get(`/events/deliveries?webhook_id=${endpoint}&limit=100`)).json.deliveries

test('each event reaches the local address with its exact bytes, signed with the shown secret', async () => {
  const { listener, lines } = await startListener({ events: 'order.created,order.completed' })
  const game = await product(tradepost, {}, { keys: keysNamed('LISTENER', 1) })
  const { id } = await order(tradepost, game.id)
  await tradepost.post(`/orders/${id}/manual-payments`, {})
  await receiver.until(2)

  for (const { headers, body } of receiver.received) {
    const event = await verify(body, headers, listener.secret)
    expect(event).toMatchObject({ id: headers['service-event-id'], data: { object: { id } } })
    const [payload] = (await tradepost.payloads(event.type)).filter((item) => item.id === event.id)
    expect(JSON.stringify(payload)).toBe(body)
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
  const { listener, lines } = await startListener()
  await trigger('order.created')
  await until(async () => (await listDeliveries(listener.endpoint))[0]?.status === 'failed')
  const [{ id }] = await listDeliveries(listener.endpoint)
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

test('a local address without a receiver is reported, and the next event is attempted anyway', async () => {
  const { lines } = await startListener({ forward: `http://127.0.0.1:${await keepPort()}/hook` })
  await trigger('order.created')
  await trigger('order.expired')
  await until(() => lines.length === 3)
  const refusalError = 'connection_refused: The receiver refused the connection.'
  expect(lines.slice(1)).toMatchObject([
    { type: 'order.created', status: null, error: refusalError },
    { type: 'order.expired', status: null, error: refusalError },
  ])
})

test('hundreds of concurrent events each arrive exactly once', async () => {
  await startListener()
  const samples = await Promise.all(Array.from({ length: 150 }, () => trigger('order.created')))
  await receiver.until(150)
  await elapse(300)
  const ids = receiver.received.map(({ headers }) => headers['service-event-id'])
  expect([...ids].sort()).toEqual(samples.map(({ event }) => event).sort())
})

test('events that occur while the server is unreachable arrive once it is reachable', async () => {
  let isUnreachable = false
  const { lines } = await startListener({}, (runOnce) => async (...args) => {
    if (isUnreachable) throw new Error('The server stopped before it answered.')
    return runOnce(...args)
  })
  isUnreachable = true
  const first = await trigger('order.created')
  const second = await trigger('order.created')
  await elapse(100)
  isUnreachable = false
  await until(() => lines.length === 3)
  expect(lines.slice(1).map(({ id }) => id)).toEqual([first.event, second.event])
})

test('deliveries whose answer to the listener was lost are sent to it again', async () => {
  let answersWithDeliveries = 0
  const { lines } = await startListener({}, (runOnce) => async (...args) => {
    const answer: Json = await runOnce(...args)
    if (answer?.deliveries?.length > 0 && answersWithDeliveries++ === 0)
      throw new Error('The connection broke.')
    return answer
  })
  const { event } = await trigger('order.created')
  await until(() => lines.length === 2)
  expect(answersWithDeliveries).toBe(2)
  expect(lines[1].id).toBe(event)
})

test('--events subscribes to the given event types only', async () => {
  const { lines } = await startListener({ events: 'order.expired, order.cancelled' })
  await trigger('order.created')
  await trigger('order.expired')
  await until(() => lines.length === 2)
  expect(lines[1].type).toBe('order.expired')
  expect((await listEndpoints())[0].events).toEqual(['order.expired', 'order.cancelled'])
})

test('an event that is too long for one answer arrives complete, even if a part is lost in transit', async () => {
  let partRequests = 0
  const { listener } = await startListener(
    { events: 'order.completed' },
    (runOnce) =>
      async (...args) => {
        if (args[0].step === 'part' && partRequests++ === 1)
          throw new Error('The connection broke.')
        return runOnce(...args)
      },
  )
  const longText = 'x'.repeat(2_000)
  const keys = Array.from({ length: 400 }, (_, n) => `${longText}${n}`)
  const game = await product(tradepost)
  for (let from = 0; from < keys.length; from += 200) {
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    await tradepost.post(path, { keys: keys.slice(from, from + 200) })
  }
  const { id } = await order(tradepost, game.id, {
    items: [{ product_id: game.id, quantity: 400 }],
  })
  await tradepost.post(`/orders/${id}/manual-payments`, {})
  const [request] = await receiver.until(1)
  if (!request) throw new Error('No webhook arrived.')
  expect(request.body.length).toBeGreaterThan(2 * BYTES_MAX)
  expect(partRequests).toBeGreaterThan(4)
  const event = await verify(request.body, request.headers, listener.secret)
  if (event.type !== 'order.completed') throw new Error('Not order.completed.')
  expect(event.data.object.deliveries[0]?.keys).toEqual(keys)
})

test('the endpoint of a listener is not in the list of endpoints, and does not count towards their limit', async () => {
  const body = { url: 'https://example.com/hook', events: ['order.created'] }
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push((await tradepost.post('/webhooks', body)).json.webhook.id)
  await startListener()
  expect(await listEndpoints()).toHaveLength(1)
  expect((await tradepost.get('/webhooks?limit=100')).json.webhooks).toHaveLength(20)
  for (const id of ids) await tradepost.delete(`/webhooks/${id}`)
})

test('Ctrl+C removes the endpoint', async () => {
  const { stop, listener } = await startListener()
  expect((await listEndpoints()).map(({ id }) => id)).toEqual([listener.endpoint])
  await stop()
  expect(await listEndpoints()).toEqual([])
})

test('the endpoint of a killed listener is deleted within a minute', async () => {
  const listener: Json = await command?.run?.(tradepost.app, {
    ...{ store: tradepost.live.id, step: 'open', forward: receiver.url, events: ['*'] },
  })
  await trigger('order.created')
  await until(async () => (await listDeliveries(listener.endpoint))[0]?.next_attempt_at === null)
  await removeSilentListenersJob.run(tradepost.app)
  expect(await listEndpoints()).toHaveLength(1)
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from listening_until - now())::float8 as seconds
      from webhook_endpoint where public_id = ${listener.endpoint}`.execute(tradepost.db)
  expect(rows[0]?.seconds).toBeLessThanOrEqual(60)

  await sql`update webhook_endpoint set listening_until = now() - interval '1 ms'
             where public_id = ${listener.endpoint}`.execute(tradepost.db)
  await removeSilentListenersJob.run(tradepost.app)
  expect(await listEndpoints()).toEqual([])
  expect(await listDeliveries(listener.endpoint)).toMatchObject([{ status: 'cancelled' }])
})

test('a listener whose endpoint was deleted ends with a message', async () => {
  const { listener, completion } = await startListener()
  await tradepost.delete(`/webhooks/${listener.endpoint}`)
  await trigger('order.created')
  await expect(completion).rejects.toThrow('The endpoint of this listener was deleted')
})

test('forty failures do not turn a listener off', async () => {
  receiver.answer((response) => response.writeHead(500).end())
  const { listener } = await startListener()
  for (let n = 0; n < 41; n++) await trigger('order.created')
  await receiver.until(41)
  await until(async () =>
    (await listDeliveries(listener.endpoint)).every(({ status }) => status === 'failed'),
  )
  expect(await listEndpoints()).toMatchObject([{ id: listener.endpoint, enabled: true }])
})

test.each([
  [{ forward: 'localhost:3000' }, '--forward'],
  [{ forward: 'ftp://localhost/hook' }, '--forward'],
  [{ forward: 'http://me:secret@localhost/hook' }, '--forward'],
  [{ events: 'order.created,order.lost' }, 'order.lost'],
])(
  'the options %j are refused as wrong usage, and create no endpoint',
  async (input, expectedText) => {
    await expect(startListener(input)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(expectedText),
    })
    expect(await listEndpoints()).toEqual([])
  },
)

test('a result for the delivery of another listener, or of another store, is ignored', async () => {
  const openIn = async (as?: Tradepost['live']): Promise<string> => {
    const body = { forward: 'http://localhost:3000/', events: ['order.created'] }
    const { status, json } = await tradepost.post('/webhook-listeners', body, as && { as })
    expect(status).toBe(201)
    return json.listener.id
  }
  const poll = async (id: string, fields: Json = {}, as?: Tradepost['live']): Promise<Json[]> => {
    const body = { wait_s: 0, ...fields }
    const answer = await tradepost.post(`/webhook-listeners/${id}/poll`, body, as && { as })
    expect(answer.status).toBe(200)
    return answer.json.deliveries
  }
  const [own, other] = [await openIn(), await openIn()]
  const foreign = await openIn(tradepost.test)
  const lesson = await product(tradepost, { type: 'service' })
  await order(tradepost, lesson.id)
  let deliveries: Json[] = []
  await until(async () => {
    deliveries = await poll(own)
    return deliveries.length === 1
  })
  const [{ delivery_id }] = deliveries
  const result = { ok: true, status_code: 200, error: null, duration_ms: 1, response_body: 'ok' }
  const relayed = [{ delivery_id, ...result }]
  await poll(other, { relayed })
  await poll(foreign, { relayed }, tradepost.test)
  expect((await poll(own)).map((item) => item.delivery_id)).toEqual([delivery_id])
  await poll(own, { relayed })
  expect(await poll(own)).toEqual([])
})
