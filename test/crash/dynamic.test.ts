import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { chanceOf, SEED } from '../chance.mjs'
import { timeLimit } from '../clock.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered, type Target, targetOf } from '../process/client.ts'
import { createMigratedInstallation, type Installation } from '../process/spawn-server.ts'
import { elapse, until } from '../until.ts'
import { IS_WHOLE } from '../walks.ts'
import { failedChecks, LONG, onDatabaseServer, unlimitedKey } from './installation.ts'
import { openSeller, type Seller, STAGES } from './seller.ts'

/** KILLS=20 runs twenty rounds. */
const ROUNDS = Number(process.env.KILLS ?? (IS_WHOLE ? 2 : 1))
/** A delivery has three attempts, so it succeeds even if kills interrupt two of them. */
const KILLS_A_ROUND = 2
/** The number of customers who buy before each kill. */
const BUYERS = 8
/** It ends a test that hangs. */
const WAIT_MAX_MS = 600_000
const POLL_MS = 50

test('kill -9 during dynamic deliveries leaves each paid order with one delivery, whose text is that of the last answer', (context) =>
  onDatabaseServer(context, killDuringDeliveries))

interface Setup {
  installation: Installation
  seller: Seller
  /** The program's database, for reading its records directly. */
  databaseUrl: string
  key: string
}

async function killDuringDeliveries(env: Record<string, string>): Promise<void> {
  const installation = await createMigratedInstallation(env)
  const seller = await openSeller()
  try {
    const chance = chanceOf('kills during dynamic deliveries')
    let server = await installation.start()
    const key = await unlimitedKey(installation, server)
    const setup: Setup = { installation, seller, databaseUrl: env.DATABASE_URL ?? '', key }
    const productId = await createDynamicProduct(setup, targetOf(server, key))
    for (let round = 1; round <= ROUNDS; round++) {
      const purchases: Promise<string[]>[] = []
      for (let kill = 1; kill <= KILLS_A_ROUND; kill++) {
        const stage = chance.pick(STAGES)
        const killed = seller.runAt(1 + chance.below(BUYERS - 1), stage, () =>
          server.signal('SIGKILL'),
        )
        purchases.push(buyAll(() => targetOf(server, key), productId))
        await killed
        expect(await server.ended).toBe('SIGKILL')
        if (!LONG) await expireLeases(setup)
        server = await installation.start()
      }
      const ids = (await Promise.all(purchases)).flat()
      await untilIdle(setup)
      await expectDeliveredOnce(setup, targetOf(server, key), ids)
    }
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  } finally {
    await installation.close()
    await seller.close()
  }
}

async function createDynamicProduct({ seller }: Setup, target: Target): Promise<string> {
  const body = { name: 'Text', type: 'dynamic', price_cents: 500 }
  const { product, variants } = (await call(target, 'POST', '/products', { body })).json
  const path = `/products/${product.id}/variants/${variants[0].id}/dynamic`
  const { status, text, json } = await call(target, 'PUT', path, { body: { url: seller.url } })
  expect(status, text).toBe(200)
  seller.secret = json.dynamic.secret
  return product.id
}

/** Lets each customer buy one product, and repeat a call without an answer. Returns the ids of the orders. */
function buyAll(target: () => Target, productId: string): Promise<string[]> {
  const isOver = timeLimit(WAIT_MAX_MS)
  async function buy(n: number): Promise<string> {
    const items = [{ product_id: productId, quantity: 1 }]
    const body = { items, customer: { email: `buyer-${n}@example.com` }, mark_paid: true }
    const idempotencyKey = randomUUID()
    for (;;) {
      try {
        const { status, text, json } = await postUntilAnswered(
          target(),
          '/orders',
          body,
          idempotencyKey,
        )
        expect(status, text).toBe(201)
        return json.order.id
      } catch (error) {
        // The server was killed before it answered, and is started again.
        if (!(error instanceof TypeError) || isOver()) throw error
        await elapse(POLL_MS)
      }
    }
  }
  return Promise.all(Array.from({ length: BUYERS }, (_, n) => buy(n)))
}

/** Ends the 30 s lease of a killed worker at once. */
const expireLeases = ({ databaseUrl }: Setup) =>
  ask(databaseUrl, 'update dynamic_call set lease_until = null')

/** Waits until no request to the seller is running or due. */
async function untilIdle({ databaseUrl }: Setup): Promise<void> {
  const statement = 'select from dynamic_call limit 1'
  await until(async () => (await ask(databaseUrl, statement)).length === 0)
}

const COMPLETED = `
  select object_id as id, count(*)::int as count from event where type = 'order.completed' group by 1`

/** Expects that each order was completed once and has one delivery, with the text of the last answer. */
async function expectDeliveredOnce(setup: Setup, target: Target, ids: readonly string[]) {
  const { seller, databaseUrl, installation } = setup
  const requests = new Map([...seller.requests.values()].map((item) => [item.orderId, item]))
  expect(new Set(ids).size).toBe(BUYERS * KILLS_A_ROUND)
  for (const id of ids) {
    const { order } = (await call(target, 'GET', `/orders/${id}`)).json as Json
    expect([order.status, order.deliveries.length]).toEqual(['completed', 1])
    const [delivery] = order.deliveries
    const { texts, attempts } = requests.get(id) ?? { texts: [], attempts: [] }
    expect([delivery.status, delivery.error]).toEqual(['delivered', null])
    // A request is repeated only if its answer was not recorded.
    expect(delivery.text).toBe(texts.at(-1))
    expect(attempts).toEqual([...new Set(attempts)].sort())
    expect(attempts.length).toBeLessThanOrEqual(1 + KILLS_A_ROUND)
  }
  const completed = (await ask(databaseUrl, COMPLETED)) as { id: string; count: number }[]
  expect(completed.filter(({ count }) => count !== 1)).toEqual([])
  expect(completed.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]))
  // No call created two orders, and each request belongs to one order.
  expect(new Set(requests.keys())).toEqual(new Set(completed.map(({ id }) => id)))
  expect(seller.faults, `SEED=${SEED}`).toEqual([])
  expect(await failedChecks(installation)).toEqual([])
}
