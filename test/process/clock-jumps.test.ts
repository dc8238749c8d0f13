import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verify } from '../../sdk/webhooks/index.ts'
import type { Json } from '../harness.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { call, type Target } from './client.ts'
import { createMigratedInstallation, type Installation, type Server } from './spawn-server.ts'

/** The machine's clock is set by an hour, in both directions, while the shop runs and between its starts. */

const HOUR_MS = 3_600_000
const SHIFTED = fileURLToPath(new URL('shifted-clock.mjs', import.meta.url))

let installation: Installation
let receiver: Receiver
let server: Server
let target: Target
let shift_ms = 0

beforeAll(async () => {
  receiver = await openReceiver()
  installation = await createMigratedInstallation()
  await setClock(0)
  server = await start()
  target = { origin: server.origin, store: server.live.id, key: server.live.api_key ?? '' }
})
afterAll(async () => {
  await installation.close()
  await receiver.close()
})

const shiftFile = () => join(installation.dataDir, '..', 'shift')

async function setClock(to_ms: number) {
  shift_ms = to_ms
  await writeFile(shiftFile(), String(to_ms))
  // Its threads look each 10 ms.
  await pause(100)
}

const start = () =>
  installation.start({ SHIFT_FILE: shiftFile(), NODE_OPTIONS: `--import=${SHIFTED}` })

async function startAnew() {
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
  server = await start()
  target = { ...target, origin: server.origin }
}

async function post(path: string, body: unknown, idempotencyKey?: string): Promise<Json> {
  const { status, json, text } = await call(target, 'POST', path, { body, idempotencyKey })
  expect(status, text).toBeLessThan(300)
  return json
}
const get = async (path: string): Promise<Json> => (await call(target, 'GET', path)).json

async function stocked(keys: number): Promise<{ id: string; path: string; names: string[] }> {
  const { product, variants } = await post('/products', { name: 'Game', price_cents: 500 })
  const path = `/products/${product.id}/variants/${variants[0].id}`
  const name = randomBytes(4).toString('hex')
  const names = Array.from({ length: keys }, (_, n) => `${name}-${n}`)
  await post(`${path}/keys`, { keys: names })
  return { id: product.id, path, names }
}

const orderOf = (id: string) => ({
  items: [{ product_id: id, quantity: 1 }],
  customer: { email: 'ada@example.com' },
})

async function until<T>(look: () => Promise<T | undefined | false>, what: string): Promise<T> {
  for (let tries = 0; tries < 400; tries++) {
    const found = await look()
    if (found) return found
    await pause(50)
  }
  throw new Error(`It never came: ${what}`)
}

/** Every moment of an order, none of which lies before its creation. */
function expectInOrder(order: Json) {
  for (const [name, value] of Object.entries(order)) {
    if (!name.endsWith('_at') || typeof value !== 'string') continue
    expect(Date.parse(value), `${name} of ${JSON.stringify(order)}`).toBeGreaterThanOrEqual(
      Date.parse(order.created_at),
    )
  }
  for (const payment of order.payments ?? []) expectInOrder(payment)
  const steps = (order.status_history ?? []).map((step: Json) => step.at)
  expect(steps).toEqual([...steps].sort())
}

async function expectSound() {
  const { code, stdout } = await installation.run(['doctor'])
  expect(code, stdout).toBe(0)
}

const JUMPS = [
  ['back while it runs', -HOUR_MS, async () => {}],
  ['ahead while it runs', HOUR_MS, async () => {}],
  ['back between two starts', -HOUR_MS, startAnew],
  ['ahead between two starts', HOUR_MS, startAnew],
] as const

test.each(JUMPS)(
  'a clock that is set %s loses nothing, sells nothing twice, and stops no process',
  async (_, step_ms, meanwhile) => {
    await setClock(0)
    receiver.received.length = 0
    receiver.answer((response) => response.writeHead(500).end())
    const events = ['order.completed']
    const { secret, webhook } = await post('/webhooks', { url: receiver.url, events })
    const game = await stocked(3)
    // A key of its own for each run of this test.
    const sale = game.id
    const [first, held] = [
      (await post('/orders', { ...orderOf(game.id), mark_paid: true }, sale)).order,
      (await post('/orders', orderOf(game.id))).order,
    ]
    const payments = `/orders/${held.id}/manual-payments`
    const seen =
      step_ms < 0 ? (await post(payments, { status: 'pending_review' })).payment : undefined
    const log = `/events/deliveries?webhook_id=${webhook.id}`
    const failed = async () => (await get(log)).deliveries[0]?.last_error
    await until(failed, 'the first failure')
    receiver.answer((response) => response.end('ok'))

    await setClock(step_ms)
    await meanwhile()

    // A repeat is the same sale, and reserved units are paid for, or free again.
    const repeated = await post('/orders', { ...orderOf(game.id), mark_paid: true }, sale)
    expect(repeated.order.id).toBe(first.id)
    const expired = async () => (await get(`/orders/${held.id}`)).order.status === 'expired'
    if (step_ms > 0) await until(expired, 'the end of what was held')
    else await post(`${payments}/${seen.id}/approve`, {})
    const { order } = await get(`/orders/${held.id}`)
    expect(order.status).toBe(step_ms > 0 ? 'expired' : 'completed')
    expectInOrder(order)
    const left = step_ms > 0 ? 2 : 1
    for (let n = 0; n < left; n++) {
      await post('/orders', { ...orderOf(game.id), mark_paid: true })
    }
    const refused = await call(target, 'POST', '/orders', { body: orderOf(game.id) })
    expect(refused.json.code).toBe('OUT_OF_STOCK')
    const { keys } = await get(`${game.path}/keys`)
    expect(keys.filter((key: Json) => key.status === 'sold')).toHaveLength(3)
    for (const key of keys) expectInOrder(key)

    // New events are sent at once. A retry that was due in a minute waits for the clock at most.
    const sold = 1 + left + (step_ms > 0 ? 0 : 1)
    const expected = step_ms > 0 ? sold + 1 : sold
    await until(async () => receiver.received.length >= expected, `${expected} webhooks`)
    if (step_ms < 0) {
      await setClock(step_ms + HOUR_MS + 70_000)
      await until(async () => receiver.received.length >= sold + 1, 'the one that failed at first')
    }
    expect(receiver.received).toHaveLength(sold + 1)
    const newest = receiver.received.at(-1)
    const now = () => Date.now() + shift_ms
    await verify(newest?.body ?? '', newest?.headers ?? {}, secret, { now })
    await call(target, 'DELETE', `/webhooks/${webhook.id}`)
    await expectSound()
    await setClock(0)
    await expectSound()
  },
)

test('a key that had no calls left has some again a minute later, wherever the clock was set', async () => {
  await setClock(0)
  const made = await installation.run([
    ...['keys', 'create', '--store', target.store, '--permissions', 'all'],
    ...['--rate-limit', '3', '--json'],
  ])
  const limited = { ...target, key: JSON.parse(made.stdout).key }
  for (let n = 0; n < 3; n++) await call(limited, 'GET', '/account')
  await setClock(-HOUR_MS)
  const { status, headers } = await call(limited, 'GET', '/account')
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  await setClock(0)
})
