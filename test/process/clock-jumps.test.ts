import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verify } from '../../sdk/webhooks/index.ts'
import type { Json } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { until } from '../until.ts'
import { call, type Target, targetOf } from './client.ts'
import { type ShiftedClock, shiftClock } from './shift-clock.ts'
import { createMigratedInstallation, type Installation, type Server } from './spawn-server.ts'

const HOUR_MS = 3_600_000

let installation: Installation
let receiver: Receiver
let clock: ShiftedClock
let server: Server
let target: Target

beforeAll(async () => {
  receiver = await openReceiver()
  installation = await createMigratedInstallation()
  clock = await shiftClock(installation)
  server = await installation.start(clock.env)
  target = targetOf(server)
})
afterAll(async () => {
  await installation.close()
  await receiver.close()
})

async function restart() {
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
  server = await installation.start(clock.env)
  target = { ...target, origin: server.origin }
}

async function post(path: string, body: unknown, idempotencyKey?: string): Promise<Json> {
  const { status, json, text } = await call(target, 'POST', path, { body, idempotencyKey })
  expect(status, text).toBeLessThan(300)
  return json
}
async function get(path: string): Promise<Json> {
  const { status, json, text } = await call(target, 'GET', path)
  expect(status, text).toBe(200)
  return json
}

async function createProduct(keyCount: number): Promise<{ id: string; path: string }> {
  const { product, variants } = await post('/products', { name: 'Game', price_cents: 500 })
  const path = `/products/${product.id}/variants/${variants[0].id}`
  const prefix = randomBytes(4).toString('hex')
  const keys = Array.from({ length: keyCount }, (_, n) => `${prefix}-${n}`)
  await post(`${path}/keys`, { keys })
  return { id: product.id, path }
}

const orderOf = (product_id: string) => ({
  items: [{ product_id, quantity: 1 }],
  customer: { email: 'ada@example.com' },
})

/** Expects that no time of the record is before its creation, and that its history is sorted by time. */
function expectTimesInSequence(record: Json) {
  for (const [name, value] of Object.entries(record)) {
    if (!name.endsWith('_at') || typeof value !== 'string') continue
    expect(Date.parse(value), `${name} of ${JSON.stringify(record)}`).toBeGreaterThanOrEqual(
      Date.parse(record.created_at),
    )
  }
  for (const payment of record.payments ?? []) expectTimesInSequence(payment)
  const times = (record.status_history ?? []).map((step: Json) => step.at)
  expect(times).toEqual([...times].sort())
}

async function expectNoFaults() {
  const { code, stdout } = await installation.run(['doctor'])
  expect(code, stdout).toBe(0)
}

test.each([
  ['back while the server runs', -HOUR_MS, async () => {}],
  ['ahead while the server runs', HOUR_MS, async () => {}],
  ['back between two starts', -HOUR_MS, restart],
  ['ahead between two starts', HOUR_MS, restart],
] as const)(
  'a machine clock that is set %s loses no webhook, sells no unit twice, and stops no process',
  async (_, step_ms, restartIfNeeded) => {
    await clock.set(0)
    receiver.received.length = 0
    receiver.answer((response) => response.writeHead(500).end())
    const events = ['order.completed']
    const { secret, webhook } = await post('/webhooks', { url: receiver.url, events })
    const game = await createProduct(3)
    // The id of the product differs in each run of this test.
    const idempotencyKey = game.id
    const paidOrder = { ...orderOf(game.id), mark_paid: true }
    const { order: first } = await post('/orders', paidOrder, idempotencyKey)
    const { order: unpaid } = await post('/orders', orderOf(game.id))
    const payments = `/orders/${unpaid.id}/manual-payments`
    const payment =
      step_ms < 0 ? (await post(payments, { status: 'pending_review' })).payment : undefined
    const log = `/events/deliveries?webhook_id=${webhook.id}`
    await until(async () => Boolean((await get(log)).deliveries[0]?.last_error))
    receiver.answer((response) => response.end('ok'))

    await clock.set(step_ms)
    await restartIfNeeded()

    // The repeat creates no order.
    const repeat = await post('/orders', paidOrder, idempotencyKey)
    expect(repeat.order.id).toBe(first.id)
    // The unpaid order expires if its time has passed. Otherwise its reserved unit can be paid.
    const isExpired = async () => (await get(`/orders/${unpaid.id}`)).order.status === 'expired'
    if (step_ms > 0) await until(isExpired)
    else await post(`${payments}/${payment.id}/approve`, {})
    const { order } = await get(`/orders/${unpaid.id}`)
    expect(order.status).toBe(step_ms > 0 ? 'expired' : 'completed')
    expectTimesInSequence(order)
    const remainingUnits = step_ms > 0 ? 2 : 1
    for (let n = 0; n < remainingUnits; n++) await post('/orders', paidOrder)
    const refusedOrder = await call(target, 'POST', '/orders', { body: orderOf(game.id) })
    expect(refusedOrder.json.code).toBe('OUT_OF_STOCK')
    const { keys } = await get(`${game.path}/keys`)
    expect(keys.filter((key: Json) => key.status === 'sold')).toHaveLength(3)
    for (const key of keys) expectTimesInSequence(key)

    // New events are sent immediately. The retry is sent when the clock reaches its time.
    const soldUnits = 3
    const isRetryDue = step_ms > 0
    await until(() => receiver.received.length >= soldUnits + (isRetryDue ? 1 : 0))
    if (!isRetryDue) {
      await clock.set(step_ms + HOUR_MS + 70_000)
      await until(() => receiver.received.length >= soldUnits + 1)
    }
    expect(receiver.received).toHaveLength(soldUnits + 1)
    const newest = receiver.received.at(-1)
    await verify(newest?.body ?? '', newest?.headers ?? {}, secret, { now: clock.now })
    expect((await call(target, 'DELETE', `/webhooks/${webhook.id}`)).status).toBe(200)
    await expectNoFaults()
    await clock.set(0)
    await expectNoFaults()
  },
)

test('an API key without remaining calls waits a minute at most, also if the clock is set back an hour', async () => {
  await clock.set(0)
  const { code, stdout, stderr } = await installation.run([
    ...['keys', 'create', '--store', target.store, '--permissions', 'all'],
    ...['--rate-limit', '3', '--json'],
  ])
  expect(code, stderr).toBe(0)
  const limited = { ...target, key: JSON.parse(stdout).key }
  for (let n = 0; n < 3; n++) expect((await call(limited, 'GET', '/account')).status).toBe(200)
  await clock.set(-HOUR_MS)
  const { status, headers } = await call(limited, 'GET', '/account')
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  await clock.set(0)
})
