import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { keysNamed, orderOf } from '../build.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call, type Reply, type Target } from './client.ts'
import {
  closePostgres,
  freshDatabase,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from './real-postgres.ts'
import { createMigratedInstallation, type Server } from './spawn-server.ts'

const SLOW = 50
/** How often a busy machine may try to have them wait at once. */
const RUSHES_MAX = 10

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
})
afterAll(() => closePostgres(postgres))

interface Seen {
  readiness: number | 'nobody listens'
  statuses: number[]
  code: number | NodeJS.Signals
  stderr: string
}

let seen: Promise<Seen> | undefined

/** One server, ended once, for both tests. */
function seenAtTheEnd(context: TestContext): Promise<Seen> {
  const own = postgresOrSkip(context, postgres)
  seen ??= whileOrdersWait(own, async ({ server, release, calls }) => {
    server.signal('SIGTERM')
    const readiness = await readinessAfter(server)
    await release()
    const statuses = (await calls).map(({ status }) => status)
    return { readiness, statuses, code: await server.ended, stderr: server.stderr() }
  })
  return seen
}

test('SIGTERM: 50 running calls get their answers, and it exits 0', async (context) => {
  const { statuses, code, stderr } = await seenAtTheEnd(context)
  expect(statuses).toEqual(new Array(SLOW).fill(201))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('SIGTERM: readiness says 503 before the listener closes, so a load balancer uses another process', async (context) => {
  expect((await seenAtTheEnd(context)).readiness).toBe(503)
})

interface Rush {
  server: Server
  /** 50 orders that wait for one row. */
  calls: Promise<Reply[]>
  release(): Promise<unknown>
}

async function whileOrdersWait<T>(own: RealPostgres, scenario: (rush: Rush) => Promise<T>) {
  const database = await freshDatabase(own)
  const installation = await createMigratedInstallation({
    DATABASE_URL: database.url,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    TRADEPOST_DB_POOL: String(SLOW + 5),
  })
  const blocker = new pg.Client(database.url)
  await blocker.connect()
  try {
    const server = await installation.start()
    const target = { origin: server.origin, store: server.live.id, key: server.live.api_key ?? '' }
    const product = await stocked(target)
    // A lock is waited for 3 s. On a busy machine all 50 may not meet in that time: then they come again.
    for (let rush = 0; rush < RUSHES_MAX; rush++) {
      await blocker.query('begin')
      await blocker.query('select from stock for update')
      const calls = Promise.all(
        Array.from({ length: SLOW }, (_, n) =>
          call(target, 'POST', '/orders', {
            body: orderOf(product, { customer: { email: `slow-${n}@example.com` } }),
          }),
        ),
      )
      const release = () => blocker.query('rollback')
      if (await areWaiting(database.url, SLOW)) return await scenario({ server, calls, release })
      await release()
      await calls
    }
    throw new Error(`${SLOW} orders never waited at once: the machine is too busy.`)
  } finally {
    await blocker.end()
    await installation.close()
    await database.drop()
  }
}

async function stocked(target: Target): Promise<string> {
  const { json } = await call(target, 'POST', '/products', {
    body: { name: 'Slow', price_cents: 1 },
  })
  const { id } = json.product
  const path = `/products/${id}/variants/${json.variants[0].id}/keys`
  await call(target, 'POST', path, {
    body: { keys: keysNamed('SLOW-ABCDEFGH', RUSHES_MAX * SLOW) },
  })
  return id
}

/** Returns true if this many sessions of the program soon wait for a lock. */
async function areWaiting(url: string, count: number): Promise<boolean> {
  const client = new pg.Client(url)
  await client.connect()
  const locked = `
    select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`
  const until = Date.now() + 1_500
  let found = 0
  while (found < count && Date.now() < until) {
    await pause(20)
    found = (await client.query(locked)).rows[0].n
  }
  await client.end()
  return found >= count
}

/** The first answer to a load balancer that is not 200: a status, or none if no process listens. */
async function readinessAfter({ origin }: Server): Promise<number | 'nobody listens'> {
  const until = Date.now() + 1_500
  while (Date.now() < until) {
    const status = await fetch(`${origin}/readyz`, { headers: { connection: 'close' } }).then(
      (answer) => answer.status,
      () => 'nobody listens' as const,
    )
    if (status !== 200) return status
    await pause(10)
  }
  return 200
}
