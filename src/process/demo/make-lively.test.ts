import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { inTransaction } from '../../db/database.ts'
import { DAY_MS } from '../../kernel/time.ts'
import { INVARIANTS } from '../invariants.ts'
import { demoCommands } from './commands.ts'
import type { Filled } from './fill-store.ts'
import { type Making, makeLively } from './make-lively.ts'
import { insertLivelyStore, type LivelyStore, selectLivelyStore } from './queries.ts'
import type { Size } from './trade.ts'

/** test/process/lively.test.ts makes the full shop. */
const SMALL: Size = { days: 40, orders: 60, customers: 20, subscriptions: 5 }
const SEED = 7

let tradepost: Tradepost
let filled: Filled
let eventsBefore: string[]

beforeAll(async () => {
  tradepost = await openTradepost()
  const { db } = tradepost
  await sql`update api_key set rate_limit = 0`.execute(db)
  const { rows } = await sql<{ id: number }>`
    select id from store where hash = ${tradepost.test.id}`.execute(db)
  const store_id = rows[0]?.id ?? 0
  await inTransaction(db, (tx) => insertLivelyStore(tx, { store_id, seed: SEED }))
  await tradepost.events()
  filled = await make()
  eventsBefore = await tradepost.events()
})
afterAll(() => tradepost.close())

async function trade(): Promise<LivelyStore> {
  const found = await selectLivelyStore(tradepost.db)
  if (!found) throw new Error('There is no demo shop.')
  return found
}

async function make(making: Partial<Making> = {}): Promise<Filled> {
  const { signal } = new AbortController()
  const made = await makeLively(tradepost.app, await trade(), { signal, size: SMALL, ...making })
  if (!made) throw new Error('Another process makes the demo shop.')
  return made
}

async function get(path: string): Promise<Json> {
  const { status, json, text } = await tradepost.get(path, { as: tradepost.test })
  expect(status, text).toBe(200)
  return json
}

async function isSound(): Promise<void> {
  for (const { check, count } of INVARIANTS)
    expect([check, await count(tradepost.db)]).toEqual([check, 0])
}

/** The parts of the shop that do not depend on when it was made. */
async function outline(): Promise<unknown> {
  const { orders } = await get('/orders?limit=100&sort=created_at')
  const { products } = await get('/products?limit=100&sort=created_at')
  const { reviews } = await get('/reviews?limit=100')
  return {
    orders: orders.map(({ number, status, total_cents, customer, items }: Json) => ({
      ...{ number, status, total_cents, email: customer.email },
      names: items.map(({ name, variant_name }: Json) => [name, variant_name]),
    })),
    products: products.map(({ name, price_cents }: Json) => [name, price_cents]),
    ratings: reviews.map(({ rating, message }: Json) => [rating, message]),
  }
}

test('no step of the demo shop is refused, and doctor finds nothing', async () => {
  expect(filled.refused).toEqual([])
  expect((await trade()).state).toBe('made')
  await isSound()
})

test('it sells goods of every kind, each with a picture, and some run low', async () => {
  const { products } = await get('/products?limit=100&include=media')
  const kinds = new Set(products.map(({ type }: Json) => type))
  expect([...kinds].sort()).toEqual(['dynamic', 'file', 'license', 'physical', 'serial', 'service'])
  expect(products.map(({ product_kind }: Json) => product_kind)).toContain('subscription')
  for (const { name, media } of products)
    expect([name, media.length, media[0]?.is_main]).toEqual([name, 1, true])
  expect((await get('/categories')).categories).toHaveLength(5)
  expect((await get('/shipping/zones')).zones).toHaveLength(3)
})

test('its orders lie within its days, by their dates as by their numbers, and have come to every end', async () => {
  const { orders } = await get('/orders?limit=100&sort=created_at')
  const numbers = orders.map(({ number }: Json) => number)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  const now = tradepost.app.clock.now()
  for (const { created_at } of orders) {
    expect(Date.parse(created_at)).toBeGreaterThan(now - (SMALL.days + 1) * DAY_MS)
    expect(Date.parse(created_at)).toBeLessThanOrEqual(now)
  }
  const statuses = new Set(orders.map(({ status }: Json) => status))
  for (const status of ['pending', 'partially_paid', 'manual_review', 'completed', 'expired'])
    expect(statuses).toContain(status)
  for (const { status, created_at, updated_at } of orders) {
    if (status !== 'expired') continue
    // At its own moment, two days after it was created, not when the shop was made.
    expect(Date.parse(updated_at) - Date.parse(created_at)).toBe(2 * DAY_MS)
  }
})

test('its customers are invented, and all of them bought', async () => {
  const { customers, pagination } = await get('/customers?limit=100')
  expect(pagination.total).toBe(SMALL.customers)
  for (const { email } of customers) expect(email).toMatch(/@example\.(com|org)$/)
})

test.each([
  ['/reviews', 'reviews'],
  ['/questions?status=pending', 'questions'],
  ['/questions?status=answered', 'questions'],
  ['/tickets', 'tickets'],
  ['/coupons', 'coupons'],
  ['/fulfillments', 'fulfillments'],
  ['/subscriptions?status=active', 'subscriptions'],
  ['/affiliates/partners', 'partners'],
  ['/affiliates/conversions', 'conversions'],
  ['/webhooks', 'webhooks'],
])('%s lists something', async (path, name) => {
  expect((await get(path))[name].length).toBeGreaterThan(0)
})

test('a subscription was renewed at its own moment, a month after it began', async () => {
  const { subscriptions } = await get('/subscriptions?limit=100')
  const details = await Promise.all(
    subscriptions.map(({ id }: Json) => get(`/subscriptions/${id}`)),
  )
  const renewed = details
    .map((item) => item.subscription)
    .filter((item) => item.payments.length > 1)
  expect(renewed.length).toBeGreaterThan(0)
  for (const { payments } of renewed) {
    const { order } = await get(`/orders/${payments[1].invoice_id}`)
    expect(order.created_at).toBe(payments[1].period_start)
  }
})

test('nothing is sent about its past: no webhook was subscribed then, and mail of a test side is kept', async () => {
  expect(eventsBefore).toContain('order.completed')
  const { deliveries } = await get('/events/deliveries?limit=100')
  expect(deliveries.length).toBeLessThanOrEqual(5)
  const { rows } = await sql`select from mail where status = 'sent'`.execute(tradepost.db)
  expect(rows).toEqual([])
})

test('made again it is the same store, once, and the previous records are gone', async () => {
  const before = await outline()
  const { products } = await get('/products?limit=1')
  await make()
  expect(await outline()).toEqual(before)
  await isSound()
  const gone = await tradepost.get(`/products/${products[0].id}`, { as: tradepost.test })
  expect(gone.status).toBe(404)
})

test('a shop whose making was cut off is sound, and is made anew', async () => {
  const before = await outline()
  const stop = new AbortController()
  const cut = make({ signal: stop.signal, onStep: (done) => done === 150 && stop.abort() })
  await expect(cut).rejects.toThrow()
  expect((await trade()).state).toBe('making')
  await isSound()
  await make()
  expect((await trade()).state).toBe('made')
  expect(await outline()).toEqual(before)
})

test('two calls at once: one makes the store, the other is told that it is being made', async () => {
  const { signal } = new AbortController()
  const demo = await trade()
  const makers = [1, 2].map(() => makeLively(tradepost.app, demo, { signal, size: SMALL }))
  const ended = await Promise.all(makers)
  expect(ended.filter((made) => made === undefined)).toHaveLength(1)
  await isSound()
})

test('demo reset makes the shop of the store anew, and refuses every other store with the reason', async () => {
  const [reset] = demoCommands
  const run = (input: Json) => reset?.run(tradepost.app, input)
  const refused = `${tradepost.other.id} cannot be reset: it is not the test side`
  await expect(run({ store: tradepost.other.id })).rejects.toThrow(refused)
  await expect(run({ store: tradepost.live.id })).rejects.toThrow('so its records are yours')
  await expect(run({ store: 'absent' })).rejects.toThrow('there is no store absent')
  const before = await tradepost.get('/account', { as: tradepost.test })
  const signal = AbortSignal.abort()
  const cut = reset?.run(tradepost.app, {}, { emit() {}, signal })
  await expect(cut).rejects.toThrow()
  const { rows } = await sql`
    select from audit_event where action = 'store.reset_demo'`.execute(tradepost.db)
  expect(rows).toHaveLength(1)
  // The records are gone; the store, its keys and its id stay.
  expect((await get('/orders')).pagination.total).toBe(0)
  expect((await get('/account')).store).toEqual(before.json.store)
  await isSound()
})
