import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Chance, chanceOf, SEED } from '../chance.mjs'
import type { Json } from '../harness.ts'
import { callUntilServed, type Reply } from '../process/client.ts'
import { holdTransaction } from './lock-waits.ts'
import type { ServedStore } from './open-served-database.ts'
import { type OnSale, putOnSale } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

const ACTORS = 8
const STEPS = 40

const database = sharedDatabase({ allowsLockTimeouts: true })

test('the counts of stock keys are right after concurrent additions, deletions and sales', async (context) => {
  const tradepost = await database.openStore(context)
  await expectRightCounts(tradepost, await putOnSaleTwice(tradepost))
})

test('the counts of stock keys are right if calls are refused because they wait too long for a lock', async (context) => {
  const tradepost = await database.openStore(context)
  const products = await putOnSaleTwice(tradepost)
  const release = await holdTransaction(
    tradepost.app,
    `select from stock where variant_id = ${products[0].variantId} for update`,
  )
  let released: Promise<void> | undefined
  await expectRightCounts(tradepost, products, () => {
    released ??= release()
  })
  expect(released).toBeDefined()
  await released
})

const putOnSaleTwice = async (tradepost: ServedStore): Promise<[OnSale, OnSale]> => [
  await putOnSale(tradepost, []),
  await putOnSale(tradepost, []),
]

/** Runs the actors, and compares the stock keys with their models. `onRefusal` is called for each 503. */
async function expectRightCounts(
  tradepost: ServedStore,
  products: readonly OnSale[],
  onRefusal = () => {},
): Promise<void> {
  const models = products.map(() => ({ added: 0, deleted: 0, sold: 0 }))
  await Promise.all(
    Array.from({ length: ACTORS }, (_, n) =>
      act({
        tradepost,
        products,
        models,
        actor: n,
        random: chanceOf(`stock, actor ${n}`),
        onRefusal,
      }),
    ),
  )

  const rows = await Promise.all(products.map(({ variantId }) => rowsOf(tradepost, variantId)))
  expect(models.every(({ added, deleted, sold }) => added * deleted * sold > 0)).toBe(true)
  // The acknowledged changes add up to the rows. `expectNoFaults` checks the counters.
  for (const [at, { added, deleted, sold }] of models.entries()) {
    expect(rows[at], `SEED=${SEED}`).toMatchObject({ sold, available: added - deleted - sold })
  }
  await database.expectNoFaults(`SEED=${SEED}`)
}

/** The stock keys of one product that successful calls added, deleted and sold. */
interface StockModel {
  added: number
  deleted: number
  sold: number
}

interface Actor {
  tradepost: ServedStore
  products: readonly OnSale[]
  models: readonly StockModel[]
  actor: number
  random: Chance
  onRefusal(): void
}

/** Makes random calls one after the other, and records the acknowledged ones in the models. */
async function act({
  tradepost,
  products,
  models,
  actor,
  random,
  onRefusal,
}: Actor): Promise<void> {
  const unpaidOrders: { id: string; lines: readonly { at: number; quantity: number }[] }[] = []
  const send = (method: string, path: string, body?: unknown) =>
    callUntilServed(tradepost.targets[0], method, path, { body, onRefusal })
  const keysPathOf = ({ id, variantId }: OnSale) => `/products/${id}/variants/${variantId}/keys`

  const calls: ((at: number, step: number) => Promise<unknown>)[] = [
    async (at, step) => {
      const keys = Array.from({ length: 5 }, (_, n) => `MODEL-${actor}-${step}-${n}`)
      const { json } = expectStatus(await send('POST', keysPathOf(productAt(at)), { keys }), 201)
      modelAt(at).added += json.added
    },
    async (at) => {
      const { json } = expectStatus(
        await send('GET', `${keysPathOf(productAt(at))}?status=available`),
        200,
      )
      const key = json.keys[Math.floor(random() * json.keys.length)] as Json
      if (!key) return
      const deletion = expectStatus(
        await send('DELETE', `${keysPathOf(productAt(at))}/${key.id}`),
        200,
        404,
        409,
      )
      if (deletion.status === 200) modelAt(at).deleted += 1
    },
    async (at) => {
      // This call is rare, because it deletes every available stock key.
      if (random() > 0.2) return
      const { json } = expectStatus(await send('DELETE', keysPathOf(productAt(at))), 200)
      modelAt(at).deleted += json.count
    },
    async (at) => {
      const lines = [at, 1 - at].map((index) => ({
        at: index,
        quantity: 1 + Math.floor(random() * 2),
      }))
      const items = lines.map((line) => ({
        product_id: productAt(line.at).id,
        quantity: line.quantity,
      }))
      const customer = { email: `actor-${actor % 3}@example.com` }
      const created = expectStatus(await send('POST', '/orders', { items, customer }), 201, 409)
      if (created.status === 201) unpaidOrders.push({ id: created.json.order.id, lines })
    },
    async () => {
      const order = unpaidOrders.shift()
      if (!order) return
      expectStatus(await send('POST', `/orders/${order.id}/manual-payments`, {}), 201)
      for (const { at, quantity } of order.lines) modelAt(at).sold += quantity
    },
    async () => {
      const order = unpaidOrders.shift()
      if (order) expectStatus(await send('POST', `/orders/${order.id}/cancel`, {}), 200)
    },
  ]
  const weights = [0, 0, 1, 2, 3, 3, 3, 4, 4, 5]

  for (let step = 0; step < STEPS; step++) {
    const makeCall = calls[weights[Math.floor(random() * weights.length)] ?? 0]
    await makeCall?.(Math.floor(random() * products.length), step)
  }

  function productAt(at: number): OnSale {
    return products[at] as OnSale
  }
  function modelAt(at: number): StockModel {
    return models[at] as StockModel
  }
}

function expectStatus(reply: Reply, ...allowed: number[]): Reply {
  if (allowed.includes(reply.status)) return reply
  throw new Error(`${reply.status} instead of ${allowed}: ${reply.text}`)
}

async function rowsOf({ app }: ServedStore, variantId: number) {
  const { rows } = await sql<{ sold: number; available: number }>`
    select count(*) filter (where k.status = 'sold') as sold,
           count(*) filter (where k.status = 'available') as available
      from stock_key k
     where k.variant_id = ${variantId}`.execute(app.db)
  return rows[0]
}
