import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call, insist, type Target } from '../process/client.ts'
import { createMigratedInstallation, type Installation } from '../process/spawn-server.ts'
import { MOMENTS, openSeller, type Seller } from './seller.ts'
import { doctorSays, LONG, onServer, targetOf, unlimitedKey } from './victim.ts'

/** KILLS=20 runs twenty rounds. */
const ROUNDS = Number(process.env.KILLS ?? 2)
/** A call has three attempts, so that one that is lost with the server twice is still delivered. */
const KILLS_A_ROUND = 2
/** Customers who buy until a kill and beyond it. */
const BUYERS = 8
const WAIT_MAX_MS = 120_000
const LOOK_MS = 50
const TIMEOUT_MS = 180_000 + ROUNDS * 90_000

test(
  'kill -9 while texts are asked for: every paid order is delivered once, with one text',
  (context) => onServer(context, killWhileAsking),
  TIMEOUT_MS,
)

interface Scene {
  installation: Installation
  seller: Seller
  /** The program's database, for reading its records directly. */
  databaseUrl: string
  key: string
}

async function killWhileAsking(env: Record<string, string>): Promise<void> {
  const installation = await createMigratedInstallation(env)
  const seller = await openSeller()
  try {
    let server = await installation.start()
    const key = await unlimitedKey(installation, server)
    const scene: Scene = { installation, seller, databaseUrl: env.DATABASE_URL ?? '', key }
    const productId = await dynamicProduct(scene, targetOf(server, key))
    for (let round = 1; round <= ROUNDS; round++) {
      const bought: Promise<string[]>[] = []
      for (let kill = 1; kill <= KILLS_A_ROUND; kill++) {
        const moment = MOMENTS[randomInt(MOMENTS.length)] ?? 'asked'
        const struck = seller.strike(randomInt(1, BUYERS), moment, () => server.signal('SIGKILL'))
        bought.push(buyAll(() => targetOf(server, key), productId))
        await struck
        expect(await server.ended).toBe('SIGKILL')
        if (!LONG) await passLeases(scene)
        server = await installation.start()
      }
      const ids = (await Promise.all(bought)).flat()
      await untilIdle(scene)
      await expectDeliveredOnce(scene, targetOf(server, key), ids)
    }
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
    await seller.close()
  }
}

async function dynamicProduct({ seller }: Scene, target: Target): Promise<string> {
  const body = { name: 'Text', type: 'dynamic', price_cents: 500 }
  const made = await call(target, 'POST', '/products', { body })
  const { id } = made.json.product
  const path = `/products/${id}/variants/${made.json.variants[0].id}/dynamic`
  const set = await call(target, 'PUT', path, { body: { url: seller.url } })
  expect(set.status, set.text).toBe(200)
  seller.secret = set.json.dynamic.secret
  return id
}

/** Customers who buy one each, and repeat a call without an answer. */
function buyAll(target: () => Target, productId: string): Promise<string[]> {
  const end = Date.now() + WAIT_MAX_MS
  async function buy(n: number): Promise<string> {
    const items = [{ product_id: productId, quantity: 1 }]
    const customer = { email: `buyer-${n}@example.com` }
    const key = randomUUID()
    for (;;) {
      try {
        const body = { items, customer, mark_paid: true }
        const { status, text, json } = await insist(target(), '/orders', body, key)
        expect(status, text).toBe(201)
        return json.order.id
      } catch (error) {
        // The server was killed before it answered. Another starts.
        if (!(error instanceof TypeError) || Date.now() > end) throw error
        await pause(LOOK_MS)
      }
    }
  }
  return Promise.all(Array.from({ length: BUYERS }, (_, n) => buy(n)))
}

/** The 30 s that a dead worker's lease still has, passed in no time. */
const passLeases = ({ databaseUrl }: Scene) =>
  ask(databaseUrl, 'update dynamic_call set lease_until = null')

/** Waits until nothing is asked for any more. */
async function untilIdle({ databaseUrl }: Scene): Promise<void> {
  const end = Date.now() + WAIT_MAX_MS
  while ((await ask(databaseUrl, 'select from dynamic_call limit 1')).length > 0) {
    if (Date.now() > end) throw new Error('Some deliveries are still asked for.')
    await pause(LOOK_MS)
  }
}

const COMPLETED = `
  select object_id as id, count(*)::int as count from event where type = 'order.completed' group by 1`

/** Each order has one delivery, with a text that answered it, and was completed once. */
async function expectDeliveredOnce(scene: Scene, target: Target, ids: readonly string[]) {
  const { seller, databaseUrl, installation } = scene
  const requests = new Map([...seller.asked.values()].map((item) => [item.orderId, item]))
  expect(new Set(ids).size).toBe(BUYERS * KILLS_A_ROUND)
  for (const id of ids) {
    const { order } = (await call(target, 'GET', `/orders/${id}`)).json as Json
    expect([order.status, order.deliveries.length]).toEqual(['completed', 1])
    const [delivery] = order.deliveries
    const { texts, attempts } = requests.get(id) ?? { texts: [], attempts: [] }
    expect([delivery.status, delivery.error]).toEqual(['delivered', null])
    // The last answer is the recorded one: none was recorded before its request.
    expect(delivery.text).toBe(texts.at(-1))
    expect(attempts).toEqual([...new Set(attempts)].sort())
    expect(attempts.length).toBeLessThanOrEqual(1 + KILLS_A_ROUND)
  }
  const completed = (await ask(databaseUrl, COMPLETED)) as { id: string; count: number }[]
  expect(completed.filter(({ count }) => count !== 1)).toEqual([])
  expect(completed.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]))
  // No order was made twice, and each request was for one of them.
  expect(new Set(requests.keys())).toEqual(new Set(completed.map(({ id }) => id)))
  expect(seller.faults).toEqual([])
  expect(await doctorSays(installation)).toEqual([])
}
