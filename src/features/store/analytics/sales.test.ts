import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { coupon, order, product } from '../../../../test/build.ts'
import { type Clocked, openClocked, openNextClocked } from '../../../../test/clocked.ts'
import type { Json } from '../../../../test/harness.ts'
import { storeContextOf } from '../../../app.ts'
import { found } from '../../../kernel/errors.ts'
import { asStore, selectStore } from '../../installation/index.ts'
import { foldSalesJob } from './index.ts'
import { SalesQuery } from './schema.ts'
import { showSales } from './show-sales.ts'

/** Nine in the evening in UTC, which is the next day in Auckland. */
const NOW = Date.parse('2026-03-10T21:00:00.000Z')

let first: Clocked
let store: Clocked

beforeAll(async () => {
  first = await openClocked(NOW)
})
beforeEach(async () => {
  store = await openNextClocked(first)
})
afterAll(async () => {
  await first.isSound()
  await first.tradepost.close()
})

async function summary(query = ''): Promise<Json> {
  const { status, json } = await store.tradepost.get(`/analytics/sales?${query}`, store.as)
  expect(status, JSON.stringify(json)).toBe(200)
  return json.summary
}

const fold = () => foldSalesJob.run(store.tradepost.app)
const aService = (price_cents: number, name = 'Setup') =>
  product(store.tradepost, { name, type: 'file', variants: [{ name: 'A', price_cents }] }, store.as)

const buy = (id: string, fields: Json = {}) => order(store.tradepost, id, fields, store.as)
const paid = (id: string, fields: Json = {}) => buy(id, { mark_paid: true, ...fields })
const post = (path: string, body: Json = {}) => store.tradepost.post(path, body, store.as)

const NOTHING = {
  orders_count: 0,
  completed_count: 0,
  units_sold: 0,
  gross_cents: 0,
  discount_cents: 0,
  shipping_cents: 0,
  refunded_cents: 0,
  net_cents: 0,
  average_order_cents: 0,
  new_customers: 0,
  returning_customers: 0,
  conversion_rate: 0,
}

test('a store without sales has thirty empty days', async () => {
  const { series, ...rest } = await summary()
  expect(rest).toEqual({
    ...NOTHING,
    currency: 'EUR',
    time_zone: 'UTC',
    from: '2026-02-09',
    to: '2026-03-10',
    top_products: [],
    top_customers: [],
    by_payment_method: [],
    by_country: [],
  })
  expect(series).toHaveLength(30)
  expect(series[0]).toEqual({ date: '2026-02-09', orders_count: 0, gross_cents: 0, net_cents: 0 })
})

test.each(['at once', 'after the job added them'])('sales show %s', async (when) => {
  const game = await aService(1_000, 'Game')
  await coupon(store.tradepost, { code: 'TEN' }, store.as)
  const first = await paid(game.id, {
    items: [{ product_id: game.id, quantity: 3 }],
    customer: { email: 'ada@example.com', name: 'Ada', country: 'DE' },
    coupon_code: 'TEN',
  })
  await paid(game.id)
  await buy(game.id, { customer: { email: 'bob@example.com' } })
  await post(`/orders/${first.id}/refund`, { amount_cents: 200 })
  if (when !== 'at once') await fold()
  const { series, ...totals } = await summary('from=2026-03-10')
  expect(totals).toMatchObject({
    orders_count: 2,
    completed_count: 0,
    units_sold: 4,
    gross_cents: 4_000,
    discount_cents: 300,
    refunded_cents: 200,
    net_cents: 3_500,
    average_order_cents: 1_850,
    new_customers: 1,
    returning_customers: 0,
    conversion_rate: 0,
    by_payment_method: [{ payment_method: 'manual', orders_count: 2, gross_cents: 4_000 }],
    by_country: [{ country: 'DE', orders_count: 2, gross_cents: 4_000 }],
  })
  expect(totals.top_products).toEqual([
    { product_id: game.id, name: 'Game', units_sold: 4, gross_cents: 4_000 },
  ])
  const { id: customer_id } = first.customer
  expect(totals.top_customers).toEqual([
    { customer_id, email: 'ada@example.com', name: 'Ada', orders_count: 2, spent_cents: 3_500 },
  ])
  expect(series).toEqual([
    { date: '2026-03-10', orders_count: 2, gross_cents: 4_000, net_cents: 3_500 },
  ])
})

test('an order counts on the day of its payment, and a refund on its own day', async () => {
  const game = await aService(1_000)
  const { id } = await buy(game.id, { payment_method: 'manual' })
  await post(`/orders/${id}/manual-payments`)
  await store.advance('24h')
  await post(`/orders/${id}/refund`, { amount_cents: 400 })
  await fold()
  const { series } = await summary('from=2026-03-10')
  expect(series).toEqual([
    { date: '2026-03-10', orders_count: 1, gross_cents: 1_000, net_cents: 1_000 },
    { date: '2026-03-11', orders_count: 0, gross_cents: 0, net_cents: -400 },
  ])
})

test('an order that expires or waits is created and not sold', async () => {
  const game = await aService(1_000)
  const done = await product(store.tradepost, { name: 'Done', type: 'file' }, store.as)
  await post(`/products/${done.id}/files`, { name: 'a.txt', content_base64: 'YQ==' })
  await paid(done.id)
  const { id } = await buy(game.id)
  await post(`/orders/${id}/manual-payments`, { amount_cents: 300 })
  await store.advance('2h')
  await post(`/orders/${id}/refund`, {})
  const after = await summary('from=2026-03-10')
  expect(after).toMatchObject({ orders_count: 1, gross_cents: 1_000, refunded_cents: 0 })
  await post(`/orders/${id}/manual-payments`, { amount_cents: 1_000 })
  await fold()
  const late = await summary('from=2026-03-10')
  expect(late).toMatchObject({ orders_count: 2, refunded_cents: 0, net_cents: 2_000 })
})

test('the part of created orders that was completed is the conversion rate', async () => {
  const key = await product(store.tradepost, {}, { keys: ['SALE-1', 'SALE-2'], ...store.as })
  await paid(key.id)
  const { id } = await buy(key.id)
  expect(await summary()).toMatchObject({ completed_count: 1, conversion_rate: 0.5 })
  await fold()
  await store.advance('30m')
  await post(`/orders/${id}/manual-payments`)
  expect(await summary()).toMatchObject({ completed_count: 2, conversion_rate: 1 })
  await fold()
  expect(await summary()).toMatchObject({ completed_count: 2, conversion_rate: 1 })
})

test('weeks begin on Monday, months on their first day, and both within the period', async () => {
  const dates = async (query: string) => (await summary(query)).series.map((row: Json) => row.date)
  expect(await dates('from=2026-02-26&to=2026-03-10&interval=week')).toEqual([
    '2026-02-26',
    '2026-03-02',
    '2026-03-09',
  ])
  expect(await dates('from=2026-01-15&to=2026-03-10&interval=month')).toEqual([
    '2026-01-15',
    '2026-02-01',
    '2026-03-01',
  ])
})

test('a moment stands for its day, and the end is exclusive', async () => {
  const query = 'from=2026-03-01T12:00:00Z&to=2026-03-05T00:00:00.000Z'
  expect(await summary(query)).toMatchObject({ from: '2026-03-01', to: '2026-03-04' })
})

test.each([
  ['from=2026-13-01', 'from'],
  ['to=yesterday', 'to'],
  ['from=2026-03-10&to=2026-03-09', 'from'],
  ['from=2025-03-09&to=2026-03-10', 'from'],
  ['interval=year', 'interval'],
  ['compare=yes', 'compare'],
])('%s is refused', async (query, field) => {
  const { status, json } = await store.tradepost.get(`/analytics/sales?${query}`, store.as)
  expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
})

test('a year of 366 days is accepted', async () => {
  expect((await summary('from=2025-03-10&to=2026-03-10')).series).toHaveLength(366)
})

test('compare adds as many days before', async () => {
  const game = await aService(1_000)
  await paid(game.id)
  await store.advance('24h')
  await paid(game.id, { items: [{ product_id: game.id, quantity: 2 }] })
  await paid(game.id, { customer: { email: 'new@example.com' } })
  const { previous, change_percent, ...now } = await summary('from=2026-03-11&compare=true')
  expect(now).toMatchObject({ orders_count: 2, new_customers: 1, returning_customers: 1 })
  expect(previous).toMatchObject({
    from: '2026-03-10',
    to: '2026-03-10',
    orders_count: 1,
    gross_cents: 1_000,
    new_customers: 1,
    returning_customers: 0,
  })
  expect(change_percent).toMatchObject({
    orders_count: 100,
    gross_cents: 200,
    new_customers: 0,
    returning_customers: null,
  })
  expect(await summary()).not.toHaveProperty('previous')
})

test('a customer who comes back in a past period is counted once', async () => {
  const game = await aService(1_000)
  await paid(game.id)
  await store.advance('24h')
  await paid(game.id)
  await paid(game.id)
  await store.advance('24h')
  await paid(game.id)
  const returned = async (query: string) => (await summary(query)).returning_customers
  expect(await returned('from=2026-03-11&to=2026-03-11')).toBe(1)
  expect(await returned('from=2026-03-10&to=2026-03-12')).toBe(0)
})

test('a merge takes back the later of two first orders', async () => {
  const game = await aService(1_000)
  const first = await paid(game.id, { customer: { email: 'first@example.com' } })
  await store.advance('24h')
  const second = await paid(game.id, { customer: { email: 'second@example.com' } })
  await post(`/customers/${first.customer.id}/merge`, { into: second.customer.id })
  expect((await summary('from=2026-03-11')).new_customers).toBe(0)
  expect((await summary('from=2026-03-10')).new_customers).toBe(1)
})

test('the other side and another store see nothing of it', async () => {
  const game = await aService(1_000)
  await paid(game.id)
  const { tradepost } = store
  for (const as of [tradepost.live, tradepost.other]) {
    const { json } = await tradepost.get('/analytics/sales', { as })
    expect(json.summary).toMatchObject(NOTHING)
  }
})

test('five products and customers are shown, whichever were sold before', async () => {
  const ids: string[] = []
  for (let n = 1; n <= 7; n++) ids.push((await aService(1_000 * n, `Game ${n}`)).id)
  const buyEach = async (quantity: (n: number) => number) => {
    for (const [at, id] of ids.entries()) {
      const items = [{ product_id: id, quantity: quantity(at + 1) }]
      await paid(id, { items, customer: { email: `c${at + 1}@example.com` } })
    }
  }
  await buyEach(() => 10)
  await fold()
  await store.advance('24h')
  await buyEach((n) => 8 - n)
  const expected = ['Game 4', 'Game 5', 'Game 3', 'Game 6', 'Game 2']
  for (const _ of ['before the job', 'after it']) {
    const { top_products, top_customers } = await summary('from=2026-03-11')
    expect(top_products.map((item: Json) => item.name)).toEqual(expected)
    expect(top_products[0].units_sold).toBe(4)
    expect(top_customers.map((item: Json) => item.email)).toEqual(
      expected.map((name) => `c${name.slice(-1)}@example.com`),
    )
    await fold()
  }
})

describe('in a time zone of its own', () => {
  async function summaryIn(time_zone: string, from: string, to: string): Promise<Json> {
    const { app } = store.tradepost
    const row = found(await selectStore(app.db, store.as.as?.id ?? ''), 'Store')
    const context = storeContextOf(app, Object.assign(asStore(row), { time_zone }))
    return showSales(context, SalesQuery.parse({ from, to }))
  }

  test.each([
    ['Pacific/Auckland', '2026-03-11'],
    ['Asia/Kathmandu', '2026-03-11'],
    ['America/St_Johns', '2026-03-10'],
  ])('an order in %s counts on %s', async (zone, date) => {
    const game = await aService(1_000)
    await paid(game.id)
    for (const _ of ['before the job', 'after it']) {
      const { series, ...rest } = await summaryIn(zone, '2026-03-09', '2026-03-12')
      expect(series.filter((row: Json) => row.orders_count > 0)).toMatchObject([{ date }])
      expect(rest.time_zone).toBe(zone)
      const whole = {
        gross_cents: 1_000,
        top_products: [{ gross_cents: 1_000 }],
        top_customers: [{ spent_cents: 1_000 }],
        by_payment_method: [{ gross_cents: 1_000 }],
      }
      expect(rest).toMatchObject(whole)
      expect(await summaryIn(zone, date, date)).toMatchObject(whole)
      await fold()
    }
  })

  test('the day that loses an hour has all its orders', async () => {
    const game = await aService(1_000)
    await store.advanceTo('2026-03-28T23:00:00.000Z')
    await paid(game.id)
    await store.advanceTo('2026-03-29T21:59:00.000Z')
    await paid(game.id)
    await store.advance('1m')
    await paid(game.id)
    await fold()
    const { series } = await summaryIn('Europe/Berlin', '2026-03-28', '2026-03-30')
    expect(series.map((row: Json) => row.orders_count)).toEqual([0, 2, 1])
  })
})
