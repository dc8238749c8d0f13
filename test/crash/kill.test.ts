import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { openEngine } from '../../src/db/embedded/engine.ts'
import { keysNamed } from '../build.ts'
import { chanceOf, SEED } from '../chance.mjs'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call, type Target, targetOf } from '../process/client.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Server,
} from '../process/spawn-server.ts'
import { elapse, isReached } from '../until.ts'
import { IS_WHOLE } from '../walks.ts'
import { type Buyers, createBuyers } from './buyers.ts'
import { failedChecks, LONG, onDatabaseServer, unlimitedKey } from './installation.ts'
import { openReceiver, type Receiver } from './receiver.ts'

const KILLS = Number(process.env.KILLS ?? (IS_WHOLE ? 3 : 2))
/** The lease of a killed worker expires after 30 s. Then the event is sent again. */
const EVENTS_TIMEOUT_MS = 600_000
/** More units than all buyers can buy in a run. */
const STOCK = 4_000
const PAGE = 100

// Both tests mostly wait, so they run concurrently.
test.concurrent('kill -9 under load loses no acknowledged change, with the embedded database', async () => {
  await killUnderLoad({})
})

test.concurrent('kill -9 under load loses no acknowledged change, on a database server', async (context) => {
  await onDatabaseServer(context, killUnderLoad)
})

interface Setup {
  installation: Installation
  receiver: Receiver
  buyers: Buyers
  /** An API key without a rate limit. */
  key: string
}

async function killUnderLoad(env: Record<string, string>): Promise<void> {
  const installation = await createMigratedInstallation(env)
  const receiver = await openReceiver()
  try {
    const chance = chanceOf('kills under load')
    let server = await installation.start()
    const key = await unlimitedKey(installation, server)
    const buyers = createBuyers(await createStockedProduct(targetOf(server, key)))
    const setup: Setup = { installation, receiver, buyers, key }
    await createEndpoint(setup, server)

    for (let kill = 1; kill <= KILLS; kill++) {
      buyers.start(targetOf(server, key))
      await buyers.untilAnswered(20)
      // A random time, unrelated to the server's work.
      await elapse(chance() * 500)
      server.signal('SIGKILL')
      expect(await server.ended).toBe('SIGKILL')
      await buyers.stop()
      if (kill === KILLS && !LONG) await expireLeases(installation, env)
      server = await installation.start()
      await expectNothingLost(setup, server)
    }
    await expectAllEmitted(setup, server)
    expect(receiver.faults).toEqual([])
    expect(await failedChecks(installation)).toEqual([])
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
    await receiver.close()
  }
}

/** Ends the 30 s lease of a killed worker at once. */
async function expireLeases({ dataDir }: Installation, { DATABASE_URL }: Record<string, string>) {
  const statement = `
    update webhook_fanout set lease_until = '-infinity';
    update webhook_retry set due_at = clock_timestamp() where lease_token <> 0`
  if (DATABASE_URL) {
    await ask(DATABASE_URL, statement)
    return
  }
  const engine = await openEngine({ dataDir: join(dataDir, 'pg') })
  const db = openDatabase({ stream: engine.connect, poolSize: 1 })
  for (const item of statement.split(';')) await sql.raw(item).execute(db)
  await db.destroy()
  await engine.close()
}

async function createStockedProduct(target: Target): Promise<string> {
  const body = { name: 'Game', price_cents: 500 }
  const { product, variants } = (await call(target, 'POST', '/products', { body })).json
  const path = `/products/${product.id}/variants/${variants[0].id}/keys`
  const { status } = await call(target, 'POST', path, {
    body: { keys: keysNamed('KILL-ABCDEFGH', STOCK) },
  })
  expect(status).toBe(201)
  return product.id
}

async function createEndpoint({ receiver, key }: Setup, server: Server): Promise<void> {
  const body = { url: receiver.url, events: ['order.created', 'order.completed'] }
  const { status, json } = await call(targetOf(server, key), 'POST', '/webhooks', { body })
  expect(status).toBe(201)
  receiver.secret = json.secret
}

/** Expects that acknowledged changes exist after a restart, and that unanswered calls take effect once. */
async function expectNothingLost(
  { installation, buyers, key }: Setup,
  server: Server,
): Promise<void> {
  const target = targetOf(server, key)
  const before = new Map(buyers.orders)
  expect(before.size).toBeGreaterThan(0)
  const ordersById = new Map((await allOrders(target)).map((order) => [order.id, order]))
  const lost = [...before].filter(([id, { status }]) => {
    const current = ordersById.get(id)?.status
    // A payment without an answer may have been recorded.
    return current !== status && !(status === 'pending' && current === 'completed')
  })
  expect(lost, `SEED=${SEED}`).toEqual([])

  await buyers.repeat(target)
  expect(buyers.faults).toEqual([])
  expect(await failedChecks(installation)).toEqual([])
}

/** Expects that no call created two orders, no stock key was sold twice, and every event has arrived once. */
async function expectAllEmitted({ buyers, receiver, key }: Setup, server: Server) {
  const orders = await allOrders(targetOf(server, key))
  const visits = orders.map((order) => order.metadata.visit)
  expect(new Set(visits).size).toBe(visits.length)
  expect(new Set(orders.map(({ id }) => id))).toEqual(new Set(buyers.orders.keys()))
  const soldKeys = [...buyers.orders.values()].flatMap(({ keys }) => keys)
  expect(new Set(soldKeys).size).toBe(soldKeys.length)

  const expected = orders.flatMap(({ id, status }) => [
    `order.created ${id}`,
    ...(status === 'completed' ? [`order.completed ${id}`] : []),
  ])
  const received = () =>
    [...receiver.received.values()].map(({ type, objectId }) => `${type} ${objectId}`)
  await isReached(() => new Set(received()).size >= expected.length, EVENTS_TIMEOUT_MS)
  expect(received().sort()).toEqual(expected.sort())
}

async function allOrders(target: Target): Promise<Json[]> {
  const orders: Json[] = []
  for (let offset = 0; ; offset += PAGE) {
    const path = `/orders?sort=created_at&limit=${PAGE}&offset=${offset}`
    const { status, json } = await call(target, 'GET', path)
    expect(status).toBe(200)
    orders.push(...json.orders)
    if (json.orders.length < PAGE) return orders
  }
}
