import { access, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { expect, type TestContext, test } from 'vitest'
import { ask } from '../database.ts'
import { openLocalServer } from '../local-server.ts'
import { until } from '../until.ts'
import { call, type Target, targetOf } from './client.ts'
import { freshDatabase, settingsFor, sharedPostgres } from './real-postgres.ts'
import { createMigratedInstallation, type Installation, type Running } from './spawn-server.ts'

const requirePostgres = sharedPostgres()

/** Ten attempts of an endpoint run at the same time. The other deliveries wait for a slot, under the same lease. */
const SLOTS = 10
const EVENTS = 15
/** Shorter than a lease, after whose end another process would send the deliveries anyway. */
const RELEASE_MAX_MS = 9_000

test('a worker that gets SIGTERM releases deliveries that wait for a slot, and another worker sends them (decisions 18, 126)', async (context) => {
  await withInstallations(context, async ({ installations: [tradepost, ...others], url }) => {
    const receiver = await openWaitingReceiver()
    try {
      // Both workers have started, so that only the release of the deliveries takes time.
      const [first, second] = await Promise.all(others.map(startSuspendedWorker))
      // A claim that a worker sent just before its suspension must not find the first of the orders.
      await until(() => isIdle(url))
      const server = await tradepost.start({ TRADEPOST_ROLE: 'api' })
      await createOrders(targetOf(server), receiver.url)
      first?.signal('SIGCONT')
      await until(() => receiver.attempts.length === SLOTS)
      await until(async () => (await countLeases(url)) > SLOTS)

      first?.signal('SIGTERM')
      second?.signal('SIGCONT')
      // The running attempts occupy their slots until they are answered. Each answer frees a slot.
      receiver.answer(EVENTS - SLOTS)
      await until(() => receiver.attempts.length === EVENTS, RELEASE_MAX_MS)
      expect(receiver.unanswered()).toBe(SLOTS)
      // An expired lease would count as an attempt. Five attempts of the first worker still run.
      expect(receiver.attempts).toEqual(new Array(EVENTS).fill('1'))
      expect(receiver.disconnected()).toBe(0)

      receiver.answer()
      expect(await first?.ended).toBe(0)
      second?.signal('SIGTERM')
      expect(await second?.ended).toBe(0)
      const statement = `select status, attempts, count(*)::int from webhook_delivery group by 1, 2`
      expect(await ask(url, statement)).toEqual([
        { status: 'succeeded', attempts: 1, count: EVENTS },
      ])
      expect(receiver.attempts).toHaveLength(EVENTS)
    } finally {
      await receiver.close()
    }
  })
})

/** More than the start timeout of the program, so that a slow start is reported by the program. */
const START_MAX_MS = 150_000

/** Starts a worker, and suspends it until SIGCONT. */
async function startSuspendedWorker(installation: Installation): Promise<Running> {
  const worker = installation.spawn(['start'], { TRADEPOST_ROLE: 'worker' })
  const isReady = () =>
    access(installation.readyFile).then(
      () => true,
      () => false,
    )
  await until(isReady, START_MAX_MS).catch((cause) => {
    throw new Error(`The worker did not start: ${worker.stderr()}`, { cause })
  })
  // A worker serves no HTTP, so its ready file has no addresses (decision 54).
  expect(JSON.parse(await readFile(installation.readyFile, 'utf8'))).toEqual({
    pid: worker.pid,
    version: expect.any(String),
    database: expect.any(String),
    stores: [],
  })
  worker.signal('SIGSTOP')
  return worker
}

/** Opens a receiver that answers a request only after a call of `answer`. */
async function openWaitingReceiver() {
  const attempts: string[] = []
  const openResponses: ServerResponse[] = []
  let answersAll = false
  const server = await openLocalServer((request, response) => {
    request.resume()
    attempts.push(String(request.headers['service-delivery-attempt']))
    if (answersAll) response.end('ok')
    else openResponses.push(response)
  })
  return {
    url: `${server.origin}/hook`,
    /** The values of Service-Delivery-Attempt of all requests. */
    attempts,
    /** The number of requests whose sender disconnected before the answer. */
    disconnected: () => openResponses.filter((response) => response.destroyed).length,
    unanswered: () => openResponses.length,
    /** Answers this many requests, or all requests from now on. */
    answer(count = openResponses.length) {
      answersAll = count === openResponses.length
      for (const response of openResponses.splice(0, count)) response.end('ok')
    },
    close: server.close,
  }
}

async function createOrders(target: Target, url: string): Promise<void> {
  const service = { name: 'Service', type: 'service', price_cents: 1 }
  const { json } = await call(target, 'POST', '/products', { body: service })
  const items = [{ product_id: json.product.id, quantity: 1 }]
  const endpoint = { url, events: ['order.created'] }
  expect((await call(target, 'POST', '/webhooks', { body: endpoint })).status).toBe(201)
  for (let n = 0; n < EVENTS; n++) {
    const body = { items, customer: { email: 'ada@example.com' } }
    expect((await call(target, 'POST', '/orders', { body })).status).toBe(201)
  }
}

/** Returns true if no other session of the database runs a statement or a transaction. */
async function isIdle(url: string): Promise<boolean> {
  const statement = `
    select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
  return (await ask(url, statement)).length === 0
}

/** Returns the number of deliveries that a worker has leased. */
async function countLeases(url: string): Promise<number> {
  const statement = `
    select (select count(*) from webhook_fanout where lease_token <> 0)::int
           + (select count(*) from webhook_retry where lease_token <> 0)::int as count`
  const [row] = (await ask(url, statement)) as { count: number }[]
  return row?.count ?? 0
}

interface Setup {
  installations: [Installation, Installation, Installation]
  url: string
}

async function withInstallations(context: TestContext, work: (setup: Setup) => Promise<void>) {
  const database = await freshDatabase(requirePostgres(context))
  const env = {
    ...settingsFor(database.url),
    TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  }
  const installations: Setup['installations'] = [
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
