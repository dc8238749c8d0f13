import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { openEngine } from '../../src/db/embedded/engine.ts'
import { keysNamed } from '../build.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call, type Target } from '../process/client.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Server,
} from '../process/spawn-server.ts'
import { type Clients, createClients } from './clients.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { doctorSays, LONG, onServer, targetOf, unlimitedKey } from './victim.ts'

const KILLS = Number(process.env.KILLS ?? 3)
const TIMEOUT_MS = 120_000 + KILLS * 15_000
/** A lease of a worker that was killed runs out after 30 s; then the event is sent again. */
const EVENTS_WAIT_MS = 50_000
/** More than a client can buy in a run. */
const STOCK = 4_000
const PAGE = 100

// Both wait a good part of their time, so they run side by side.
test.concurrent(
  'kill -9 under load loses nothing that was acknowledged, embedded',
  async () => {
    await killAndLook({})
  },
  TIMEOUT_MS,
)

test.concurrent(
  'kill -9 under load loses nothing that was acknowledged, on a database server',
  async (context) => {
    await onServer(context, killAndLook)
  },
  TIMEOUT_MS,
)

interface Scene {
  installation: Installation
  receiver: Receiver
  clients: Clients
  /** Made by the command line, without a limit; it outlives every kill. */
  key: string
}

async function killAndLook(env: Record<string, string>): Promise<void> {
  const installation = await createMigratedInstallation(env)
  const receiver = await openReceiver()
  try {
    let server = await installation.start()
    const key = await unlimitedKey(installation, server)
    const clients = createClients(await stockedProduct(targetOf(server, key)))
    const scene: Scene = { installation, receiver, clients, key }
    await listen(scene, server)

    for (let kill = 1; kill <= KILLS; kill++) {
      clients.start(targetOf(server, key))
      await clients.busy(20)
      // A moment that nothing in the server knows of.
      await pause(Math.random() * 500)
      server.signal('SIGKILL')
      expect(await server.ended).toBe('SIGKILL')
      await clients.stop()
      if (kill === KILLS && !LONG) await passLeases(installation, env)
      server = await installation.start()
      await expectNothingLost(scene, server)
    }
    await expectEverythingEmitted(scene, server)
    expect(receiver.faults).toEqual([])
    expect(await doctorSays(installation)).toEqual([])
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
    await receiver.close()
  }
}

/** The 30 s that a dead worker's lease still has, passed in no time. */
async function passLeases({ dataDir }: Installation, { DATABASE_URL }: Record<string, string>) {
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

async function stockedProduct(target: Target): Promise<string> {
  const made = await call(target, 'POST', '/products', { body: { name: 'Kill', price_cents: 500 } })
  const { id } = made.json.product
  const path = `/products/${id}/variants/${made.json.variants[0].id}/keys`
  const { status } = await call(target, 'POST', path, {
    body: { keys: keysNamed('KILL-ABCDEFGH', STOCK) },
  })
  expect(status).toBe(201)
  return id
}

async function listen({ receiver, key }: Scene, server: Server): Promise<void> {
  const body = { url: receiver.url, events: ['order.created', 'order.completed'] }
  const { status, json } = await call(targetOf(server, key), 'POST', '/webhooks', { body })
  expect(status).toBe(201)
  receiver.secret = json.secret
}

/** After a restart: acknowledged changes exist, and unanswered calls are done once. */
async function expectNothingLost(
  { installation, clients, key }: Scene,
  server: Server,
): Promise<void> {
  const target = targetOf(server, key)
  const before = new Map(clients.orders)
  expect(before.size).toBeGreaterThan(0)
  const found = new Map((await allOrders(target)).map((order) => [order.id, order]))
  const lost = [...before].filter(([id, { status }]) => {
    const now = found.get(id)?.status
    // A payment that was not answered may have come through.
    return now !== status && !(status === 'pending' && now === 'completed')
  })
  expect(lost).toEqual([])

  await clients.repeat(target)
  expect(clients.faults).toEqual([])
  expect(await doctorSays(installation)).toEqual([])
}

/** In the end: each visit made one order at most, no key was sold twice, and every event arrived. */
async function expectEverythingEmitted({ clients, receiver, key }: Scene, server: Server) {
  const orders = await allOrders(targetOf(server, key))
  const visits = orders.map((order) => order.metadata.visit)
  expect(new Set(visits).size).toBe(visits.length)
  expect(new Set(orders.map(({ id }) => id))).toEqual(new Set(clients.orders.keys()))
  const sold = [...clients.orders.values()].flatMap(({ keys }) => keys)
  expect(new Set(sold).size).toBe(sold.length)

  const expected = orders.flatMap(({ id, status }) => [
    `order.created ${id}`,
    ...(status === 'completed' ? [`order.completed ${id}`] : []),
  ])
  const received = () =>
    [...receiver.received.values()].map(({ type, objectId }) => `${type} ${objectId}`)
  const until = Date.now() + EVENTS_WAIT_MS
  while (new Set(received()).size < expected.length && Date.now() < until) await pause(100)
  // One event for each change, and none without a change.
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
