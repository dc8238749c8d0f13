import pg from 'pg'
import { expect, type TestContext, test } from 'vitest'
import { keysNamed, orderOf } from '../build.ts'
import { isReached } from '../until.ts'
import { call, type Reply, type Target, targetOf } from './client.ts'
import { freshDatabase, type RealPostgres, settingsFor, sharedPostgres } from './real-postgres.ts'
import { createMigratedInstallation, type Server } from './spawn-server.ts'

const ORDERS = 50
/** The maximum number of attempts to make all orders wait at the same time. A busy machine may need several. */
const ATTEMPTS_MAX = 10
/** Half of the lock timeout of 3 s. The other half remains for the calls after the wait. */
const LOCK_WAIT_MS = 1_500

const requirePostgres = sharedPostgres()

interface Shutdown {
  readiness: number | 'connection refused'
  statuses: number[]
  code: number | NodeJS.Signals
  stderr: string
}

let shutdown: Promise<Shutdown> | undefined

/** Ends a server with SIGTERM while orders wait. Both tests read the same shutdown. */
function shutDown(context: TestContext): Promise<Shutdown> {
  const postgresServer = requirePostgres(context)
  shutdown ??= withWaitingOrders(postgresServer, async ({ server, release, calls }) => {
    server.signal('SIGTERM')
    // The orders wait for a lock of at most 3 s, so they are not kept waiting for the answer.
    const [readiness, answers] = await Promise.all([
      readinessAfterSignal(server),
      release().then(() => calls),
    ])
    const statuses = answers.map(({ status }) => status)
    return { readiness, statuses, code: await server.ended, stderr: server.stderr() }
  })
  return shutdown
}

test('after SIGTERM, 50 running calls get their answers, and the process exits 0', async (context) => {
  const { statuses, code, stderr } = await shutDown(context)
  expect(statuses).toEqual(new Array(ORDERS).fill(201))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('after SIGTERM, /readyz answers 503 before the listener closes, so that a load balancer uses another process', async (context) => {
  expect((await shutDown(context)).readiness).toBe(503)
})

interface WaitingOrders {
  server: Server
  /** 50 orders that wait for the lock of one row. */
  calls: Promise<Reply[]>
  release(): Promise<unknown>
}

async function withWaitingOrders<T>(
  postgresServer: RealPostgres,
  work: (orders: WaitingOrders) => Promise<T>,
): Promise<T> {
  const database = await freshDatabase(postgresServer)
  const installation = await createMigratedInstallation({
    ...settingsFor(database.url),
    TRADEPOST_DB_POOL: String(ORDERS + 5),
  })
  const blocker = new pg.Client(database.url)
  await blocker.connect()
  try {
    const server = await installation.start()
    const target = targetOf(server)
    const product = await createStockedProduct(target)
    // On a busy machine, not all 50 orders may wait within LOCK_WAIT_MS. Then the attempt is repeated.
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      await blocker.query('begin')
      await blocker.query('select from stock for update')
      const calls = Promise.all(
        Array.from({ length: ORDERS }, (_, n) =>
          call(target, 'POST', '/orders', {
            body: orderOf(product, { customer: { email: `buyer-${n}@example.com` } }),
          }),
        ),
      )
      const release = () => blocker.query('rollback')
      if (await areSessionsWaiting(database.url, ORDERS))
        return await work({ server, calls, release })
      await release()
      await calls
    }
    throw new Error(`${ORDERS} orders never waited at the same time: the machine is too busy.`)
  } finally {
    await blocker.end()
    await installation.close()
    await database.drop()
  }
}

async function createStockedProduct(target: Target): Promise<string> {
  const { json } = await call(target, 'POST', '/products', {
    body: { name: 'Game', price_cents: 1 },
  })
  const { id } = json.product
  const path = `/products/${id}/variants/${json.variants[0].id}/keys`
  const keys = keysNamed('GAME-ABCDEFGH', ATTEMPTS_MAX * ORDERS)
  expect((await call(target, 'POST', path, { body: { keys } })).status).toBe(201)
  return id
}

/** Returns true if this many sessions of the program wait for a lock within LOCK_WAIT_MS. */
async function areSessionsWaiting(url: string, count: number): Promise<boolean> {
  const client = new pg.Client(url)
  await client.connect()
  const statement = `
    select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`
  const areWaiting = await isReached(
    async () => (await client.query(statement)).rows[0].waiting >= count,
    LOCK_WAIT_MS,
  )
  await client.end()
  return areWaiting
}

/** Returns the first status of /readyz that is not 200. Polls for LOCK_WAIT_MS, while the orders wait. */
async function readinessAfterSignal({ origin }: Server): Promise<Shutdown['readiness']> {
  let status: Shutdown['readiness'] = 200
  await isReached(async () => {
    status = await fetch(`${origin}/readyz`, { headers: { connection: 'close' } }).then(
      (answer) => answer.status,
      () => 'connection refused' as const,
    )
    return status !== 200
  }, LOCK_WAIT_MS)
  return status
}
