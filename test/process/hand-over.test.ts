import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { ask } from '../database.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call, type Target } from './client.ts'
import {
  closePostgres,
  freshDatabase,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from './real-postgres.ts'
import { createMigratedInstallation, type Installation, type Running } from './spawn-server.ts'

/** A stopped sender releases the deliveries that it claimed and did not begin (decision 18). */

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
})
afterAll(() => closePostgres(postgres))

/** Ten run at once for an endpoint; the others wait for a slot, under the same lease. */
const AT_ONCE = 10
const EVENTS = 15

test('SIGTERM: what waited for a slot is sent by another process while the first still ends, ten at once (decision 126)', async (context) => {
  await withInstallations(context, async ({ installations: [tradepost, ...others], url }) => {
    const receiver = await openHoldingReceiver()
    try {
      // Both senders are there already, and asleep, so that nothing but the hand-over takes time.
      const [first, second] = await Promise.all(others.map(sleepingWorker))
      const server = await tradepost.start({ TRADEPOST_ROLE: 'api' })
      const target = {
        origin: server.origin,
        store: server.live.id,
        key: server.live.api_key ?? '',
      }
      await makeOrders(target, receiver.url)
      first?.signal('SIGCONT')
      await until(() => receiver.attempts.length === AT_ONCE)
      await until(async () => (await taken(url)) === EVENTS)

      first?.signal('SIGTERM')
      second?.signal('SIGCONT')
      // The ten running attempts keep their slots until they end; each that ends frees a slot.
      const queued = EVENTS - AT_ONCE
      receiver.release(queued)
      await until(() => receiver.attempts.length === EVENTS)
      expect(receiver.held()).toBe(AT_ONCE)
      // No lease had to run out, which would count as an attempt, and five of the first ten still run.
      expect(receiver.attempts).toEqual(new Array(EVENTS).fill('1'))
      expect(receiver.givenUp()).toBe(0)

      receiver.release()
      expect(await first?.ended).toBe(0)
      second?.signal('SIGTERM')
      expect(await second?.ended).toBe(0)
      const statement = `select status, attempts, count(*)::int from webhook_delivery group by 1, 2`
      expect(await ask(url, statement)).toEqual([
        { status: 'succeeded', attempts: 1, count: EVENTS },
      ])
      expect(receiver.attempts).toHaveLength(EVENTS)
    } finally {
      receiver.close()
    }
  })
})

/** A process that sends, once it is woken. */
async function sleepingWorker(installation: Installation): Promise<Running> {
  const worker = installation.spawn(['start'], { TRADEPOST_ROLE: 'worker' })
  const ready = () =>
    access(installation.readyFile).then(
      () => true,
      () => false,
    )
  await until(ready, START_MAX_MS)
  // Decision 54: it has no addresses.
  expect(JSON.parse(await readFile(installation.readyFile, 'utf8'))).toEqual({
    pid: worker.pid,
    version: expect.any(String),
    database: expect.any(String),
    stores: [],
  })
  worker.signal('SIGSTOP')
  return worker
}

/** A seller's server that answers no request until it is released. */
async function openHoldingReceiver() {
  const attempts: string[] = []
  const held: ServerResponse[] = []
  let released = false
  const server = createServer((request, response) => {
    request.resume()
    attempts.push(String(request.headers['service-delivery-attempt']))
    if (released) response.end('ok')
    else held.push(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    attempts,
    /** Calls whose sender went away before it was answered. */
    givenUp: () => held.filter((response) => response.destroyed).length,
    /** Requests that have no answer yet. */
    held: () => held.length,
    release(count = held.length) {
      released = count === held.length
      for (const response of held.splice(0, count)) response.end('ok')
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function makeOrders(target: Target, url: string): Promise<void> {
  const service = { name: 'Service', type: 'service', price_cents: 1 }
  const { json } = await call(target, 'POST', '/products', { body: service })
  const items = [{ product_id: json.product.id, quantity: 1 }]
  const hook = { url, events: ['order.created'] }
  expect((await call(target, 'POST', '/webhooks', { body: hook })).status).toBe(201)
  for (let n = 0; n < EVENTS; n++) {
    const body = { items, customer: { email: 'ada@example.com' } }
    expect((await call(target, 'POST', '/orders', { body })).status).toBe(201)
  }
}

/** Deliveries that a sender has under its lease. */
async function taken(url: string): Promise<number> {
  const statement = `
    select (select count(*) from webhook_fanout where lease_token <> 0)::int
           + (select count(*) from webhook_retry where lease_token <> 0)::int as count`
  const [row] = (await ask(url, statement)) as { count: number }[]
  return row?.count ?? 0
}

interface Scene {
  installations: [Installation, Installation, Installation]
  url: string
}

async function withInstallations(context: TestContext, work: (scene: Scene) => Promise<void>) {
  const database = await freshDatabase(postgresOrSkip(context, postgres))
  const env = {
    DATABASE_URL: database.url,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  }
  const installations: Scene['installations'] = [
    await createMigratedInstallation(env),
    await createMigratedInstallation(env),
    await createMigratedInstallation(env),
  ]
  try {
    await work({ installations, url: database.url })
  } finally {
    for (const installation of installations) await installation.close()
    await database.drop()
  }
}

/** Shorter than a lease, and than the time that the first ten have. */
const PATIENCE_MS = 9_000

const START_MAX_MS = 60_000

async function until(
  holds: () => boolean | Promise<boolean>,
  most_ms = PATIENCE_MS,
): Promise<void> {
  const end = Date.now() + most_ms
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It did not come about.')
    await pause(20)
  }
}
