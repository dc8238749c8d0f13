import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeys, type CreatedProduct, order, product } from '../build.ts'
import { chanceOf, SEED } from '../chance.mjs'
import { expectNoFindings } from '../findings.ts'
import type { Json } from '../harness.ts'
import { differences, faultsOfStep, type OrderFacts, type ProviderBook } from './payment-model.ts'
import { createSteps, type Steps } from './payment-steps.ts'
import { openStripeStore, type StripeStore } from './stripe-store.ts'

// Takes random steps with a few orders at once. Each step keeps what was counted; once every record of a provider is read,
// each order is what the model makes of these records.

const STEPS = Number(process.env.PAYMENT_STEPS ?? 800)
/** It ends a test that hangs. A busy machine needs 15 ms for a step. */
const TIMEOUT_MS = Math.max(300_000, STEPS * 100)
const ORDERS = 12
const STEPS_A_ROUND = 150
const UNITS = 2
/** The rounds after which all invariants of the tables are checked. */
const ROUNDS_A_CHECK = 20

let store: StripeStore
let game: CreatedProduct
let keyCount = 0
let buyers = 0
const chance = chanceOf('model of payments')

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
  await sql`update api_key set rate_limit = 0`.execute(store.tradepost.db)
  store.tradepost.stopClock()
  game = await product(store.tradepost, {}, as())
})
afterAll(() => store.close())

const as = () => ({ as: store.tradepost.test })
const get = (id: string): Promise<Json> => store.orderOf({ order_id: id })

async function createOrders(): Promise<string[]> {
  const { tradepost } = store
  const keys = Array.from({ length: ORDERS * UNITS }, () => `MODEL-${++keyCount}-ABCDEFGH`)
  await addKeys(tradepost, game, keys, as())
  const ids: string[] = []
  for (let n = 0; n < ORDERS; n += 1) {
    const items = [{ product_id: game.id, quantity: UNITS }]
    const customer = { email: `buyer-${++buyers}@example.com` }
    ids.push((await order(tradepost, game.id, { items, customer }, as())).id)
  }
  return ids
}

/** Takes steps with random orders, and returns the names of the steps of each. */
async function takeSteps(steps: Steps, ids: readonly string[]): Promise<Map<string, string[]>> {
  const trails = new Map<string, string[]>(ids.map((id) => [id, []]))
  const known = new Map<string, Json>()
  for (let n = 0; n < STEPS_A_ROUND; n += 1) {
    const id = chance.pick(ids)
    const before = known.get(id) ?? (await get(id))
    const name = await steps.take(before)
    const after = await get(id)
    const trail = trails.get(id) ?? []
    trail.push(name)
    expect(faultsOfStep(before, after), `SEED=${SEED}: ${trail.join(', ')}`).toEqual([])
    known.set(id, after)
  }
  return trails
}

/** Lets an hour pass, and reads the record of every payment. */
async function readAll(steps: Steps, ids: readonly string[]): Promise<void> {
  for (const minutes of [5, 15, 40]) await steps.pass(minutes)
  for (const id of ids)
    for (const { id: paymentId, provider } of (await get(id)).payments)
      if (provider !== null) await store.refresh({ order_id: id, id: paymentId })
  await steps.pass(1)
}

/** Returns the books of both providers by the ids of payments. */
async function readBooks(): Promise<Map<number, ProviderBook>> {
  const { tradepost, stripe } = store
  const { rows } = await sql<Json>`
    select t.payment_id::int as id, t.received_cents::int as received, t.dispute,
           coalesce((select sum(r.amount_cents)::int from test_refund r
                      where r.store_id = t.store_id and r.payment_id = t.payment_id), 0) as returned
      from test_payment t`.execute(tradepost.db)
  const books = new Map<number, ProviderBook>()
  for (const { id, received, returned, dispute } of rows) {
    const { status, amount_cents: amount } = dispute ?? {}
    books.set(Number(id), { received, returned, dispute: dispute && { status, amount } })
  }
  const { charges, disputes } = stripe.records
  for (const { id, metadata, amount, amount_refunded } of charges.values()) {
    const dispute = [...disputes.values()].find(({ charge }) => charge === id)
    const isDecided = dispute?.status === 'won' || dispute?.status === 'lost'
    books.set(Number(metadata.payment), {
      received: amount,
      returned: amount_refunded,
      dispute: dispute
        ? { status: isDecided ? dispute.status : 'open', amount: dispute.amount }
        : null,
    })
  }
  return books
}

/** Orders that cost nothing any more. */
const ENDED: readonly string[] = ['expired', 'cancelled', 'refunded']

async function expectOverpaidListed(orders: readonly Json[]): Promise<void> {
  // These are the newest orders.
  const { json } = await store.tradepost.get('/orders?overpaid=true&limit=100', as())
  const listed = json.orders.map(({ id }: Json) => id)
  for (const { id, status, paid_cents, refunded_cents, total_cents } of orders) {
    const cost = ENDED.includes(status) ? 0 : total_cents
    const isOverpaid = paid_cents - refunded_cents > cost
    expect([id, listed.includes(id)]).toEqual([id, isOverpaid])
  }
}

test(
  `after ${STEPS} random steps each order is what its providers and its seller have made of it`,
  async () => {
    const steps = createSteps(store, chance)
    const rounds = Math.ceil(STEPS / STEPS_A_ROUND)
    const statuses = new Set<string>()
    for (let round = 1; round <= rounds; round += 1) {
      const ids = await createOrders()
      const trails = await takeSteps(steps, ids)
      await readAll(steps, ids)
      const books = await readBooks()
      const orders: Json[] = []
      for (const id of ids) {
        const ended = await get(id)
        const facts: OrderFacts = { books, isReleased: steps.released.has(id) }
        const trail = `SEED=${SEED}, round ${round}: ${trails.get(id)?.join(', ')}`
        expect(differences(ended, facts), trail).toEqual([])
        orders.push(ended)
        statuses.add(ended.status)
      }
      await expectOverpaidListed(orders)
      if (round % ROUNDS_A_CHECK === 0 || round === rounds) await expectNoFindings(store.tradepost)
    }
    // Every kind of order was met.
    expect(statuses.size).toBeGreaterThan(5)
  },
  TIMEOUT_MS,
)
