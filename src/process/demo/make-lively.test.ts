import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedIn } from '../../../test/browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { inTransaction } from '../../db/database.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts'
import { INVARIANTS } from '../invariants.ts'
import { demoCommands } from './commands.ts'
import type { FillResult } from './fill-store.ts'
import { type CreationOptions, makeLively } from './make-lively.ts'
import { insertLivelyStore, type LivelyStore, selectLivelyStore } from './queries.ts'
import type { DemoSize } from './scenario.ts'

/**
 * test/process/lively.test.ts creates the full store. With 70 orders the newest three, one of which is partially
 * paid, are younger than two days, after which orders expire.
 */
const SMALL: DemoSize = { days: 40, orders: 70, customers: 20, subscriptions: 5 }
const SEED = 7

let tradepost: Tradepost
let result: FillResult
let eventsOfCreation: string[]

beforeAll(async () => {
  tradepost = await openTradepost()
  const { db } = tradepost
  await sql`update api_key set rate_limit = 0`.execute(db)
  const { rows } = await sql<{ id: number }>`
    select id from store where hash = ${tradepost.test.id}`.execute(db)
  const store_id = rows[0]?.id ?? 0
  await inTransaction(db, (tx) => insertLivelyStore(tx, { store_id, seed: SEED }))
  await tradepost.events()
  result = await fillDemoStore()
  eventsOfCreation = await tradepost.events()
})
afterAll(() => tradepost.close())

async function readDemoStore(): Promise<LivelyStore> {
  const store = await selectLivelyStore(tradepost.db)
  if (!store) throw new Error('There is no demo shop.')
  return store
}

async function fillDemoStore(options: Partial<CreationOptions> = {}): Promise<FillResult> {
  const { signal } = new AbortController()
  const created = await makeLively(tradepost.app, await readDemoStore(), {
    signal,
    size: SMALL,
    ...options,
  })
  if (!created) throw new Error('Another process creates the demo shop.')
  return created
}

async function get(path: string): Promise<Json> {
  const { status, json, text } = await tradepost.get(path, { as: tradepost.test })
  expect(status, text).toBe(200)
  return json
}

async function expectValidData(): Promise<void> {
  for (const { check, count } of INVARIANTS)
    expect([check, await count(tradepost.db)]).toEqual([check, 0])
}

/** The parts of the store that do not depend on the time of its creation. */
async function readOutline(): Promise<unknown> {
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
  expect(result.refused).toEqual([])
  expect((await readDemoStore()).state).toBe('made')
  await expectValidData()
})

test('the demo store sells products of every type, each with a picture, and has categories and shipping zones', async () => {
  const { products } = await get('/products?limit=100&include=media')
  const kinds = new Set(products.map(({ type }: Json) => type))
  expect([...kinds].sort()).toEqual(['dynamic', 'file', 'license', 'physical', 'serial', 'service'])
  expect(products.map(({ product_kind }: Json) => product_kind)).toContain('subscription')
  for (const { name, media } of products)
    expect([name, media.length, media[0]?.is_main]).toEqual([name, 1, true])
  expect((await get('/categories')).categories).toHaveLength(5)
  expect((await get('/shipping/zones')).zones).toHaveLength(3)
})

test('the demo orders are dated within its days, numbered by date, and have every status', async () => {
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
    // An unpaid order expires two days after its own date, whenever the store was filled.
    expect(Date.parse(updated_at) - Date.parse(created_at)).toBe(2 * DAY_MS)
  }
})

test('demo orders are paid at the provider test, refunded through it, and disputed today', async () => {
  const { orders } = await get('/orders?limit=100')
  const details = await Promise.all(orders.map(({ id }: Json) => get(`/orders/${id}`)))
  const payments = details
    .flatMap((item) => item.order.payments)
    .filter(({ provider }) => provider === 'test')
  const statuses = payments.map(({ status }: Json) => status)
  expect(statuses.filter((status: string) => status === 'succeeded').length).toBeGreaterThan(5)
  expect(statuses.filter((status: string) => status === 'pending')).toHaveLength(1)
  expect(statuses.filter((status: string) => status === 'failed')).toHaveLength(1)
  expect(payments.some(({ refunded_cents }: Json) => refunded_cents > 0)).toBe(true)
  const disputed = payments.filter(({ dispute }: Json) => dispute?.status === 'open')
  expect(disputed).toHaveLength(1)
  const { order } = await get(`/orders/${disputed[0].order_id}`)
  expect(order.hold.reason).toBe('dispute')
  const age_ms = tradepost.app.clock.now() - Date.parse(order.hold.since)
  expect(age_ms).toBeLessThan(DAY_MS)
  const { payment_callbacks } = await get('/account/payment-callbacks?limit=100')
  const callbackStatuses = payment_callbacks.map(({ status }: Json) => status)
  expect(new Set(callbackStatuses)).toEqual(new Set(['applied']))
})

test('every demo customer has an invented address', async () => {
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
])('%s has records', async (path, name) => {
  expect((await get(path))[name].length).toBeGreaterThan(0)
})

test('the users of the demo program have devices and sessions, read settings, and reported tampering', async () => {
  const { get: getPage } = await signedIn(tradepost)
  const list = async (path: string): Promise<Json> => {
    const { status, json, text } = await getPage(`/stores/${tradepost.test.id}${path}`)
    expect(status, text).toBe(200)
    return json
  }
  const { serverside_strings } = await list('/security/v1/serverside-strings')
  const feed = serverside_strings.find(({ name }: Json) => name === 'update-feed')
  expect(feed.fetch_count).toBeGreaterThan(0)
  expect((await list('/security/v1/serverside-files')).serverside_files).toHaveLength(1)
  const { remote_settings } = await list('/security/v1/remote-settings?reveal=true')
  const news = remote_settings.find(({ key }: Json) => key === 'news')
  expect(news).toMatchObject({ value: 'Version 3.2.0 is available.', version: 3 })
  const readers = await list(`/record-readers?kind=settings&record_id=${news.app_id}`)
  expect(readers.readers.length).toBeGreaterThan(1)
  const { sessions } = await list('/client-sessions?limit=100')
  const ended = sessions.filter(({ ended_at }: Json) => ended_at !== null)
  expect([ended.length > 0, sessions.length - ended.length > 0]).toEqual([true, true])
  const { client_reports } = await list('/security/v1/client-reports')
  expect(client_reports.map(({ action }: Json) => action).sort()).toEqual([
    'ban_device',
    'log',
    'log',
  ])
  expect((await list('/security/v1/device-bans')).device_bans).toHaveLength(1)
})

test('the renewal of a demo subscription is dated at the start of its period', async () => {
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

test('only events of the last 13 hours have deliveries, and no mail is sent', async () => {
  expect(eventsOfCreation).toContain('order.completed')
  const { deliveries } = await get('/events/deliveries?limit=100')
  const earliest = tradepost.app.clock.now() - 13 * HOUR_MS
  for (const { created_at } of deliveries)
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(earliest)
  const { rows } = await sql`select from mail where status = 'sent'`.execute(tradepost.db)
  expect(rows).toEqual([])
})

test('a second run creates the same records again, and deletes the previous ones', async () => {
  const outline = await readOutline()
  const { products } = await get('/products?limit=1')
  await fillDemoStore()
  expect(await readOutline()).toEqual(outline)
  await expectValidData()
  const answer = await tradepost.get(`/products/${products[0].id}`, { as: tradepost.test })
  expect(answer.status).toBe(404)
})

test('an interrupted creation leaves no broken invariant, and the next run creates the same store', async () => {
  const outline = await readOutline()
  const stopping = new AbortController()
  const interrupted = fillDemoStore({
    signal: stopping.signal,
    onStep: (done) => done === 150 && stopping.abort(),
  })
  await expect(interrupted).rejects.toThrow()
  expect((await readDemoStore()).state).toBe('making')
  await expectValidData()
  await fillDemoStore()
  expect((await readDemoStore()).state).toBe('made')
  expect(await readOutline()).toEqual(outline)
})

test('one of two concurrent calls creates the demo store, and the other returns undefined', async () => {
  const { signal } = new AbortController()
  const demoStore = await readDemoStore()
  const calls = [1, 2].map(() => makeLively(tradepost.app, demoStore, { signal, size: SMALL }))
  const results = await Promise.all(calls)
  expect(results.filter((created) => created === undefined)).toHaveLength(1)
  await expectValidData()
})

test('demo reset empties only the demo store, and refuses other stores with the reason', async () => {
  const [reset] = demoCommands
  const run = (input: Json) => reset?.run(tradepost.app, input)
  const refused = `${tradepost.other.id} cannot be reset: it is not the test side`
  await expect(run({ store: tradepost.other.id })).rejects.toThrow(refused)
  await expect(run({ store: tradepost.live.id })).rejects.toThrow(
    'it is not the test side of the demo shop',
  )
  await expect(run({ store: 'absent' })).rejects.toThrow('there is no store absent')
  const account = await get('/account')
  const signal = AbortSignal.abort()
  const interrupted = reset?.run(tradepost.app, {}, { emit() {}, signal })
  await expect(interrupted).rejects.toThrow()
  const { rows } = await sql`
    select from audit_event where action = 'store.reset_demo'`.execute(tradepost.db)
  expect(rows).toHaveLength(1)
  // The reset was aborted after it deleted the records. The store, its keys and its id are kept.
  expect((await get('/orders')).pagination.total).toBe(0)
  expect((await get('/account')).store).toEqual(account.store)
  await expectValidData()
})
