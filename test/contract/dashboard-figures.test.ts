import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/kernel/time.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { coupon, keysNamed, order, orderOf, product } from '../build.ts'
import { expectSuccess, type Json, type Tradepost } from '../harness.ts'
import { openUnlimited } from './prepared-calls.ts'

// Endpoints of the dashboard for the pace at which products sell, and for sales by source, by coupon and by hour.

let tradepost: Tradepost
let viewer: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openUnlimited()
  tradepost.stopClock()
  viewer = await signedIn(tradepost, 'viewer')
  base = `/stores/${tradepost.live.id}`
})
afterAll(() => tradepost.close())

const refusalOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status

/** Moves the clock. Sessions end after 12 hours without a call, so the viewer signs in again. */
async function forward(ms: number) {
  tradepost.forward(ms)
  viewer = await signedIn(tradepost, 'viewer')
}
const buy = (id: string, quantity: number, fields: Json = {}) =>
  order(tradepost, id, { items: [{ product_id: id, quantity }], mark_paid: true, ...fields })
const listPaces = async (ids: readonly string[]): Promise<Json[]> =>
  (await viewer.get(`${base}/product-paces?product_ids=${ids.join(',')}`)).json.paces
const listRunways = async (query = ''): Promise<Json> =>
  (await viewer.get(`${base}/stock-runways${query}`)).json

describe('the pace of a product', () => {
  test('has the units of 28 days, and the time when the last unit is sold', async () => {
    const game = await product(tradepost, { name: 'Paced' }, { keys: keysNamed('PACE', 12) })
    await buy(game.id, 2)
    await forward(2 * DAY_MS)
    await buy(game.id, 4)
    const unpaid = await order(tradepost, game.id)
    const now = Date.parse((await viewer.get(`${base}/counts`)).json.store_time)
    const [pace] = await listPaces([game.id])
    expect(pace).toMatchObject({ product_id: game.id, units_sold: 6, available: 5 })
    expect(pace?.days).toHaveLength(28)
    expect(pace?.days.slice(-3)).toEqual([2, 0, 4])
    // At six units in two days, the remaining five last for 40 hours.
    const remainingMs = Date.parse(pace?.runs_out_at) - now
    expect(remainingMs / ((2 * DAY_MS * 5) / 6)).toBeCloseTo(1, 2)
    await tradepost.post(`/orders/${unpaid.id}/cancel`, {})
    expect((await listPaces([game.id]))[0]?.available).toBe(6)
  })

  test('has no forecast for unlimited stock, without sales, or if the stock lasts longer than a year', async () => {
    const unlimitedProduct = await product(tradepost, { name: 'Endless', type: 'service' })
    await buy(unlimitedProduct.id, 3)
    const unsoldProduct = await product(tradepost, { name: 'Still' }, { keys: ['STILL-1'] })
    const slowProduct = await product(tradepost, {
      name: 'Slow',
      type: 'physical',
      variants: [{ name: 'One', stock_mode: 'manual', stock_quantity: 100_000, price_cents: 100 }],
    })
    await buy(slowProduct.id, 1, { customer: { email: 'ada@example.com', country: 'DE' } })
    const noForecast = { runs_out_at: null }
    expect(
      await listPaces([
        slowProduct.id,
        'abcdefghijkl',
        unlimitedProduct.id,
        unsoldProduct.id,
        slowProduct.id,
      ]),
    ).toMatchObject([
      { product_id: slowProduct.id, available: 99_999, units_sold: 1, ...noForecast },
      { product_id: unlimitedProduct.id, available: null, units_sold: 3, ...noForecast },
      { product_id: unsoldProduct.id, available: 1, units_sold: 0, ...noForecast },
    ])
  })

  test('of a product without an active variant has no unit left, also if its stock was unlimited', async () => {
    const variants = [{ name: 'One', price_cents: 100 }]
    const pausedProduct = await product(tradepost, { name: 'Paused', type: 'service', variants })
    await buy(pausedProduct.id, 3)
    const [variant] = pausedProduct.product.variants
    await expectSuccess(
      tradepost.patch(`/products/${pausedProduct.id}/variants/${variant.id}`, { active: false }),
    )
    const forecast = { units_sold: 3, available: 0, runs_out_at: null }
    expect(await listPaces([pausedProduct.id])).toMatchObject([forecast])
    expect((await listRunways()).runways).toContainEqual(
      expect.objectContaining({ product_id: pausedProduct.id, ...forecast }),
    )
  })

  test('counts no sale of 28 or more days ago', async () => {
    const oldProduct = await product(tradepost, { name: 'Old' }, { keys: keysNamed('OLD', 4) })
    await buy(oldProduct.id, 3)
    await forward(27 * DAY_MS)
    expect((await listPaces([oldProduct.id]))[0]).toMatchObject({ units_sold: 3 })
    await forward(DAY_MS)
    const [pace] = await listPaces([oldProduct.id])
    expect(pace).toMatchObject({ units_sold: 0, runs_out_at: null })
    expect(pace?.days).toEqual(Array.from({ length: 28 }, () => 0))
  })

  test('is refused for more than 100 products, and for invalid product ids', async () => {
    const hashes = Array.from({ length: 101 }, (_, n) => `a${String(n).padStart(11, '0')}`)
    for (const ids of [hashes.join(','), '', '42', 'a,b'])
      expect(refusalOf(await viewer.get(`${base}/product-paces?product_ids=${ids}`)), ids).toBe(
        'VALIDATION_FAILED',
      )
    expect(refusalOf(await viewer.get(`${base}/product-paces`))).toBe('VALIDATION_FAILED')
    expect((await listPaces(hashes.slice(0, 100))).length).toBe(0)
  })
})

describe('the products that run out first', () => {
  test('are listed by the time at which they run out, products without stock first', async () => {
    await forward(60 * DAY_MS)
    const createProduct = (name: string, keys: number) =>
      product(tradepost, { name }, { keys: keysNamed(name.toUpperCase(), keys) })
    const [laterProduct, soonerProduct, soldOutProduct, archivedProduct] = [
      await createProduct('Later', 40),
      await createProduct('Sooner', 12),
      await createProduct('Gone', 2),
      await createProduct('Hidden', 9),
    ]
    for (const { id } of [laterProduct, soonerProduct, soldOutProduct, archivedProduct])
      await buy(id, 2)
    await tradepost.patch(`/products/${archivedProduct.id}`, { status: 'archived' })
    const { runways: runwayRows, pagination } = await listRunways()
    expect(runwayRows.map(({ product_name }: Json) => product_name)).toEqual([
      'Gone',
      'Sooner',
      'Later',
    ])
    expect(runwayRows).toMatchObject([
      { product_id: soldOutProduct.id, available: 0, units_sold: 2, runs_out_at: null },
      { product_id: soonerProduct.id, available: 10 },
      { product_id: laterProduct.id, available: 38 },
    ])
    const [pace] = await listPaces([soonerProduct.id])
    expect(runwayRows[1].runs_out_at).toBe(pace?.runs_out_at)
    expect(pagination).toEqual({ total: 3, limit: 25, offset: 0, has_more: false })
  })

  test('are read page by page, from this store only', async () => {
    const page = await listRunways('?limit=1&offset=1')
    expect(page.runways.map(({ product_name }: Json) => product_name)).toEqual(['Sooner'])
    expect(page.pagination).toEqual({ total: 3, limit: 1, offset: 1, has_more: true })
    expect(await listRunways('?offset=99')).toMatchObject({ runways: [], pagination: { total: 3 } })
    const otherViewer = await signedIn(tradepost, 'viewer', { store: tradepost.other.id })
    const path = `/stores/${tradepost.other.id}`
    const [{ product_id }] = (await listRunways()).runways
    expect((await otherViewer.get(`${path}/stock-runways`)).json.runways).toEqual([])
    expect(
      (await otherViewer.get(`${path}/product-paces?product_ids=${product_id}`)).json.paces,
    ).toEqual([])
  })
})

describe('the amounts of coupons', () => {
  const listAmounts = async (ids: readonly number[]): Promise<Json[]> =>
    (await viewer.get(`${base}/coupon-amounts?coupon_ids=${ids.join(',')}`)).json.amounts

  test('are the discounts of the orders that count as uses', async () => {
    const game = await product(tradepost, { price_cents: 2_000, type: 'service' })
    const [usedCoupon, unusedCoupon] = [
      await coupon(tradepost, { code: 'GIVEN10' }),
      await coupon(tradepost, { code: 'IDLE' }),
    ]
    await buy(game.id, 2, { coupon_code: 'given10' })
    expect(await listAmounts([usedCoupon.id, unusedCoupon.id])).toEqual([
      { coupon_id: usedCoupon.id, given_cents: 400 },
      { coupon_id: unusedCoupon.id, given_cents: 0 },
    ])
    const body = orderOf(game.id, { coupon_code: 'GIVEN10' })
    const unpaid = (await tradepost.post('/orders', body)).json.order
    expect((await listAmounts([usedCoupon.id]))[0]?.given_cents).toBe(600)
    await tradepost.post(`/orders/${unpaid.id}/cancel`, {})
    expect((await listAmounts([usedCoupon.id]))[0]?.given_cents).toBe(400)
  })

  test('are read for 100 coupons at most, of this store only', async () => {
    const otherCoupon = await coupon(tradepost, { code: 'THERE' }, { as: tradepost.other })
    expect(await listAmounts([otherCoupon.id])).toEqual([])
    const tooManyIds = Array.from({ length: 101 }, (_, n) => n + 1)
    for (const ids of [tooManyIds.join(','), '', 'x', '0'])
      expect(refusalOf(await viewer.get(`${base}/coupon-amounts?coupon_ids=${ids}`)), ids).toBe(
        'VALIDATION_FAILED',
      )
  })
})

test('the sales of a period are divided by source and by coupon, and contain only paid orders', async () => {
  await forward(400 * DAY_MS)
  const game = await product(tradepost, { price_cents: 1_000, type: 'service' })
  await coupon(tradepost, { code: 'half', discount_percent: 50 })
  await buy(game.id, 3, { source: 'embed' })
  await buy(game.id, 1, { coupon_code: 'HALF' })
  await buy(game.id, 1, { coupon_code: 'half', source: 'embed' })
  await order(tradepost, game.id, { coupon_code: 'HALF' })
  const { parts } = (await viewer.get(`${base}/sales-parts`)).json
  expect(parts.by_source).toEqual([
    { source: 'embed', orders_count: 2, gross_cents: 4_000 },
    { source: 'api', orders_count: 1, gross_cents: 1_000 },
  ])
  expect(parts.by_coupon).toEqual([
    { code: 'HALF', orders_count: 2, gross_cents: 2_000, discount_cents: 1_000 },
  ])
  const earlierPeriod = await viewer.get(`${base}/sales-parts?from=2020-01-01&to=2020-01-31`)
  expect(earlierPeriod.json.parts).toEqual({ by_source: [], by_coupon: [] })
  const invalidPeriod = await viewer.get(`${base}/sales-parts?from=2020-02-01&to=2020-01-31`)
  expect(refusalOf(invalidPeriod)).toBe('VALIDATION_FAILED')
})

describe('the refunds of a period', () => {
  const readRefunds = async (query = ''): Promise<Json> =>
    (await viewer.get(`${base}/refunds-report${query}`)).json.refunds
  const refund = (id: string, body: Json) =>
    expectSuccess(tradepost.post(`/orders/${id}/refund`, body))

  test('are listed over time, by reason, payment method and product', async () => {
    await forward(400 * DAY_MS)
    const readToday = async () => (await readRefunds()).to
    const game = await product(tradepost, { name: 'Game', price_cents: 3_000, type: 'service' })
    const map = await product(tradepost, { name: 'Map', price_cents: 1_000, type: 'service' })
    const bought = [
      await buy(game.id, 1),
      await order(tradepost, game.id, {
        items: [
          { product_id: game.id, quantity: 1 },
          { product_id: map.id, quantity: 1 },
        ],
        mark_paid: true,
      }),
    ]
    const [single, both] = bought as [Json, Json]
    const firstDate = await readToday()
    await refund(single.id, { reason: 'duplicate', amount_cents: 500 })
    await refund(both.id, { reason: 'other', amount_cents: 400 })
    await forward(DAY_MS)
    const secondDate = await readToday()
    await refund(both.id, { reason: 'duplicate', amount_cents: 200 })
    // An order that was never paid in full was no sale, so its refund does not count.
    const unpaid = await order(tradepost, game.id)
    const payment = { amount_cents: 100 }
    await expectSuccess(tradepost.post(`/orders/${unpaid.id}/manual-payments`, payment))
    await expectSuccess(tradepost.post(`/orders/${unpaid.id}/cancel`, {}))
    await refund(unpaid.id, { reason: 'other' })

    const refunds = await readRefunds()
    const sums = (refunds_count: number, refunded_cents: number) => ({
      refunds_count,
      refunded_cents,
    })
    expect(refunds.series).toHaveLength(30)
    expect(refunds.series.slice(-3)).toEqual([
      { date: expect.any(String), ...sums(0, 0) },
      { date: firstDate, ...sums(2, 900) },
      { date: secondDate, ...sums(1, 200) },
    ])
    expect(refunds.by_reason).toEqual([
      { reason: 'duplicate', ...sums(2, 700) },
      { reason: 'other', ...sums(1, 400) },
    ])
    expect(refunds.by_payment_method).toEqual([
      { payment_method: single.payment_method, ...sums(3, 1_100) },
    ])
    // Three quarters of the second order are the game.
    expect(refunds.by_product).toEqual([
      { product_id: game.id, name: 'Game', ...sums(3, 950) },
      { product_id: map.id, name: 'Map', ...sums(2, 150) },
    ])
    const { summary } = (await viewer.get(`${base}/v1/analytics/sales`)).json
    expect(summary.refunded_cents).toBe(1_100)
  })

  test('are summed by week and month, and only of the requested days', async () => {
    const { from, to } = await readRefunds()
    const byMonth = await readRefunds(`?from=${from}&to=${to}&interval=month`)
    const total = (rows: readonly Json[]) =>
      rows.reduce((sum, { refunded_cents }) => sum + refunded_cents, 0)
    expect(byMonth.series.length).toBeLessThanOrEqual(2)
    expect(total(byMonth.series)).toBe(1_100)
    expect(total((await readRefunds(`?from=${to}&to=${to}&interval=week`)).series)).toBe(200)
    expect(await readRefunds('?from=2020-01-01&to=2020-01-31&interval=month')).toEqual({
      currency: 'EUR',
      from: '2020-01-01',
      to: '2020-01-31',
      series: [{ date: '2020-01-01', refunds_count: 0, refunded_cents: 0 }],
      by_reason: [],
      by_payment_method: [],
      by_product: [],
    })
  })

  test('belong to one store, and an invalid period is refused', async () => {
    const otherViewer = await signedIn(tradepost, 'viewer', { store: tradepost.other.id })
    const other = await otherViewer.get(`/stores/${tradepost.other.id}/refunds-report`)
    expect(other.json.refunds).toMatchObject({ by_reason: [], by_product: [] })
    for (const query of ['from=2020-02-01&to=2020-01-31', 'from=x', 'interval=year']) {
      const refusal = await viewer.get(`${base}/refunds-report?${query}`)
      expect(refusalOf(refusal), query).toBe('VALIDATION_FAILED')
    }
  })
})

describe('the sales of the day by hour', () => {
  test('are compared with the same day of the week before, up to the same time and in total', async () => {
    const emptyTradepost = await openUnlimited()
    emptyTradepost.stopClock()
    const path = `/stores/${emptyTradepost.live.id}/sales-hours`
    const moveClockTo = (iso: string) =>
      emptyTradepost.forward(Date.parse(iso) - emptyTradepost.app.clock.now())
    const { id } = await product(emptyTradepost, {
      name: 'Hourly',
      type: 'service',
      price_cents: 1000,
    })
    const sell = () => order(emptyTradepost, id, { mark_paid: true })
    moveClockTo('2031-03-04T09:20:00Z')
    await sell()
    moveClockTo('2031-03-04T15:10:00Z')
    await sell()
    await sell()
    moveClockTo('2031-03-11T09:05:00Z')
    const refunded = await sell()
    moveClockTo('2031-03-11T14:59:00Z')
    await sell()
    await expectSuccess(
      emptyTradepost.post(`/orders/${refunded.id}/refund`, { reason: 'other', amount_cents: 400 }),
    )
    const reader = await signedIn(emptyTradepost, 'viewer')
    const { sales } = (await reader.get(path)).json
    expect(sales).toMatchObject({
      currency: 'EUR',
      time_zone: 'UTC',
      day: '2031-03-11',
      previous_day: '2031-03-04',
      net_cents: 1600,
      previous_net_cents: 3000,
      previous_until_cents: 1000,
    })
    expect(sales.hours).toHaveLength(24)
    expect(sales.hours[9]).toEqual({
      orders_count: 1,
      net_cents: 1000,
      previous_orders_count: 1,
      previous_net_cents: 1000,
    })
    expect(sales.hours[14]).toMatchObject({ orders_count: 1, net_cents: 600 })
    expect(sales.hours[15]).toMatchObject({ orders_count: 0, previous_net_cents: 2000 })
    const summary = (await reader.get(`/stores/${emptyTradepost.live.id}/v1/analytics/sales`)).json
      .summary
    expect(summary.series.at(-1).net_cents).toBe(sales.net_cents)
    await emptyTradepost.close()
  })
})
