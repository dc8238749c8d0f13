import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { coupon, order, product } from '../../../../test/build.ts'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import {
  openNextClocked,
  openStoreWithClock,
  type StoreWithClock,
} from '../../../../test/store-with-clock.ts'
import { storeContextOf } from '../../../app.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { selectStore } from '../../installation/index.ts'
import { foldSalesJob } from './index.ts'
import { SalesQuery } from './schema.ts'
import { showSales } from './show-sales.ts'

/** At this time it is already the next day in Auckland. */
const NOW = Date.parse('2026-03-10T21:00:00.000Z')

let firstStore: StoreWithClock
let store: StoreWithClock

beforeAll(async () => {
  firstStore = await openStoreWithClock(NOW)
})
beforeEach(async () => {
  store = await openNextClocked(firstStore)
})
afterAll(async () => {
  await firstStore.expectNoFindings()
  await firstStore.tradepost.close()
})

async function summary(query = ''): Promise<Json> {
  const { status, json } = await store.tradepost.get(`/analytics/sales?${query}`, store.as)
  expect(status, JSON.stringify(json)).toBe(200)
  return json.summary
}

const fold = () => foldSalesJob.run(store.tradepost.app)
/** Creates a product whose paid orders are never completed, because it has no file yet. */
const createGame = (price_cents: number, name = 'Game') =>
  product(store.tradepost, { name, type: 'file', variants: [{ name: 'A', price_cents }] }, store.as)

const createOrder = (id: string, fields: Json = {}) => order(store.tradepost, id, fields, store.as)
const createPaidOrder = (id: string, fields: Json = {}) =>
  createOrder(id, { mark_paid: true, ...fields })
const post = (path: string, body: Json = {}) =>
  expectSuccess(store.tradepost.post(path, body, store.as))

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
  const { series, ...totals } = await summary()
  expect(totals).toEqual({
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

test.each(['before', 'after'])('sales include an order %s the job adds it', async (time) => {
  const game = await createGame(1_000)
  await coupon(store.tradepost, { code: 'TEN' }, store.as)
  const firstOrder = await createPaidOrder(game.id, {
    items: [{ product_id: game.id, quantity: 3 }],
    customer: { email: 'ada@example.com', name: 'Ada', country: 'DE' },
    coupon_code: 'TEN',
  })
  await createPaidOrder(game.id)
  await createOrder(game.id, { customer: { email: 'bob@example.com' } })
  await post(`/orders/${firstOrder.id}/refund`, { amount_cents: 200 })
  if (time === 'after') await fold()
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
  const { id: customer_id } = firstOrder.customer
  expect(totals.top_customers).toEqual([
    { customer_id, email: 'ada@example.com', name: 'Ada', orders_count: 2, spent_cents: 3_500 },
  ])
  expect(series).toEqual([
    { date: '2026-03-10', orders_count: 2, gross_cents: 4_000, net_cents: 3_500 },
  ])
})

test('an order counts on the day of its payment, and a refund on its own day', async () => {
  const game = await createGame(1_000)
  const { id } = await createOrder(game.id, { payment_method: 'manual' })
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

test('an unpaid order counts as created and not as sold, also after its expiry, until it is paid late', async () => {
  const game = await createGame(1_000)
  const download = await product(store.tradepost, { name: 'Album', type: 'file' }, store.as)
  await post(`/products/${download.id}/files`, { name: 'a.txt', content_base64: 'YQ==' })
  await createPaidOrder(download.id)
  const { id } = await createOrder(game.id)
  await post(`/orders/${id}/manual-payments`, { amount_cents: 300 })
  const unsold = { orders_count: 1, gross_cents: 1_000, refunded_cents: 0, conversion_rate: 0.5 }
  expect(await summary('from=2026-03-10')).toMatchObject(unsold)
  await store.advance('2h')
  expect((await store.getOrder(id)).status).toBe('expired')
  await post(`/orders/${id}/refund`, {})
  expect(await summary('from=2026-03-10')).toMatchObject(unsold)
  await post(`/orders/${id}/manual-payments`, { amount_cents: 1_000 })
  await fold()
  const afterPayment = await summary('from=2026-03-10')
  expect(afterPayment).toMatchObject({ orders_count: 2, refunded_cents: 0, net_cents: 2_000 })
})

test('the conversion rate is the share of the created orders that were completed', async () => {
  const key = await product(store.tradepost, {}, { keys: ['SALE-1', 'SALE-2'], ...store.as })
  await createPaidOrder(key.id)
  const { id } = await createOrder(key.id)
  expect(await summary()).toMatchObject({ completed_count: 1, conversion_rate: 0.5 })
  await fold()
  await store.advance('30m')
  await post(`/orders/${id}/manual-payments`)
  expect(await summary()).toMatchObject({ completed_count: 2, conversion_rate: 1 })
  await fold()
  expect(await summary()).toMatchObject({ completed_count: 2, conversion_rate: 1 })
})

test('weeks begin on Monday, months on their first day, and the period cuts the first and the last one', async () => {
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

test('a timestamp selects the day that contains it, and midnight in `to` excludes the day that begins then', async () => {
  const query = 'from=2026-03-01T12:00:00Z&to=2026-03-05T00:00:00.000Z'
  expect(await summary(query)).toMatchObject({ from: '2026-03-01', to: '2026-03-04' })
})

test.each([
  ['from=2026-03-01T00:00:00%2B23:59&to=2026-03-05T00:00:00%2B23:59', '2026-02-28', '2026-03-04'],
  ['from=2026-03-01T00:00:00-23:59&to=2026-03-05T00:00:00-23:59', '2026-03-01', '2026-03-05'],
  ['from=2026-03-01T23:59:59.9999999Z&to=2026-03-05T23:59:59.9999999Z', '2026-03-01', '2026-03-05'],
])(
  'the timestamps of %s select their days, also with an offset or a fraction that the database does not keep (decision 446)',
  async (query, from, to) => {
    expect(await summary(query)).toMatchObject({ from, to })
  },
)

test.each([
  ['from=2026-13-01', 'from'],
  ['to=yesterday', 'to'],
  ['from=2026-03-10&to=2026-03-09', 'from'],
  ['from=2025-03-09&to=2026-03-10', 'from'],
  ['from=1969-12-31&to=1970-01-01', 'from'],
  ['to=0001-01-01', 'to'],
  ['to=9999-12-31', 'to'],
  ['from=9999-12-31T23:59:59.999Z', 'from'],
  ['interval=year', 'interval'],
  ['compare=yes', 'compare'],
])('the query %s is refused, and the error names the parameter', async (query, field) => {
  const { status, json } = await store.tradepost.get(`/analytics/sales?${query}`, store.as)
  expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
})

test.each(['UTC', 'Asia/Kathmandu', 'America/Havana', 'Pacific/Kiritimati'])(
  'sales of the first and of the last possible days are shown in %s, with their comparison',
  async (time_zone) => {
    await expectSuccess(store.tradepost.patch('/account/settings', { time_zone }, store.as))
    for (const query of ['from=1970-01-01&to=1970-01-02', 'from=9998-12-30&to=9998-12-31']) {
      const { series, previous } = await summary(`${query}&compare=true`)
      expect([series.length, previous.orders_count]).toEqual([2, 0])
    }
  },
)

test('a period of 366 days is accepted', async () => {
  expect((await summary('from=2025-03-10&to=2026-03-10')).series).toHaveLength(366)
})

test('compare=true adds the summary of as many days before, and the changes in percent', async () => {
  const game = await createGame(1_000)
  await createPaidOrder(game.id)
  await store.advance('24h')
  await createPaidOrder(game.id, { items: [{ product_id: game.id, quantity: 2 }] })
  await createPaidOrder(game.id, { customer: { email: 'new@example.com' } })
  const { previous, change_percent, ...current } = await summary('from=2026-03-11&compare=true')
  expect(current).toMatchObject({ orders_count: 2, new_customers: 1, returning_customers: 1 })
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

test('a customer whose first order was in an earlier period counts as returning once', async () => {
  const game = await createGame(1_000)
  await createPaidOrder(game.id)
  await store.advance('24h')
  await createPaidOrder(game.id)
  await createPaidOrder(game.id)
  await store.advance('24h')
  await createPaidOrder(game.id)
  const returningCustomers = async (query: string) => (await summary(query)).returning_customers
  expect(await returningCustomers('from=2026-03-11&to=2026-03-11')).toBe(1)
  expect(await returningCustomers('from=2026-03-10&to=2026-03-12')).toBe(0)
})

test('after a merge of customers, only the earlier of their first orders counts as the order of a new customer', async () => {
  const game = await createGame(1_000)
  const firstOrder = await createPaidOrder(game.id, { customer: { email: 'first@example.com' } })
  await store.advance('24h')
  const secondOrder = await createPaidOrder(game.id, { customer: { email: 'second@example.com' } })
  await post(`/customers/${firstOrder.customer.id}/merge`, { into: secondOrder.customer.id })
  expect((await summary('from=2026-03-11')).new_customers).toBe(0)
  expect((await summary('from=2026-03-10')).new_customers).toBe(1)
})

test('sales do not appear in the summary of the other side or of another store', async () => {
  const game = await createGame(1_000)
  await createPaidOrder(game.id)
  const { tradepost } = store
  for (const as of [tradepost.live, tradepost.other]) {
    const { json } = await tradepost.get('/analytics/sales', { as })
    expect(json.summary).toMatchObject(NOTHING)
  }
})

test('the five products and customers with the highest sales are shown', async () => {
  const ids: string[] = []
  for (let n = 1; n <= 7; n++) ids.push((await createGame(1_000 * n, `Game ${n}`)).id)
  const sellEach = async (quantity: (n: number) => number) => {
    for (const [index, id] of ids.entries()) {
      const items = [{ product_id: id, quantity: quantity(index + 1) }]
      await createPaidOrder(id, { items, customer: { email: `c${index + 1}@example.com` } })
    }
  }
  await sellEach(() => 10)
  await fold()
  await store.advance('24h')
  await sellEach((n) => 8 - n)
  const expected = ['Game 4', 'Game 5', 'Game 3', 'Game 6', 'Game 2']
  for (const time of ['before the job', 'after the job']) {
    const { top_products, top_customers } = await summary('from=2026-03-11')
    expect(
      top_products.map((item: Json) => item.name),
      time,
    ).toEqual(expected)
    expect(top_products[0].units_sold).toBe(4)
    expect(top_customers.map((item: Json) => item.email)).toEqual(
      expected.map((name) => `c${name.slice(-1)}@example.com`),
    )
    await fold()
  }
})

describe('in the time zone of the store', () => {
  async function summaryIn(time_zone: string, from: string, to: string): Promise<Json> {
    const { app } = store.tradepost
    const row = requireRecord(await selectStore(app.db, store.as.as?.id ?? ''), 'Store')
    const context = storeContextOf(app, Object.assign(row, { time_zone }))
    return showSales(context, SalesQuery.parse({ from, to }))
  }

  test.each([
    ['Pacific/Auckland', '2026-03-11'],
    ['Asia/Kathmandu', '2026-03-11'],
    ['America/St_Johns', '2026-03-10'],
  ])('an order at 21:00 UTC in %s counts on %s', async (timeZone, date) => {
    const game = await createGame(1_000)
    await createPaidOrder(game.id)
    for (const time of ['before the job', 'after the job']) {
      const { series, ...totals } = await summaryIn(timeZone, '2026-03-09', '2026-03-12')
      expect(
        series.filter((row: Json) => row.orders_count > 0),
        time,
      ).toMatchObject([{ date }])
      expect(totals.time_zone).toBe(timeZone)
      const allSales = {
        gross_cents: 1_000,
        top_products: [{ gross_cents: 1_000 }],
        top_customers: [{ spent_cents: 1_000 }],
        by_payment_method: [{ gross_cents: 1_000 }],
      }
      expect(totals).toMatchObject(allSales)
      expect(await summaryIn(timeZone, date, date)).toMatchObject(allSales)
      await fold()
    }
  })

  test('a day of 23 hours has all its orders', async () => {
    const game = await createGame(1_000)
    await store.advanceTo('2026-03-28T23:00:00.000Z')
    await createPaidOrder(game.id)
    await store.advanceTo('2026-03-29T21:59:00.000Z')
    await createPaidOrder(game.id)
    await store.advance('1m')
    await createPaidOrder(game.id)
    await fold()
    const { series } = await summaryIn('Europe/Berlin', '2026-03-28', '2026-03-30')
    expect(series.map((row: Json) => row.orders_count)).toEqual([0, 2, 1])
  })
})
