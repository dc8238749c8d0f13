import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import {
  openNextClocked,
  openStoreWithClock,
  type StoreWithClock,
} from '../../../../test/store-with-clock.ts'
import { storeContextOf } from '../../../app.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { selectStore } from '../../installation/index.ts'
import { foldSalesJob } from './index.ts'
import { showHours } from './show-hours.ts'
import { showRefunds } from './show-refunds.ts'

// Zones whose rules changed in 2026 or that Node and PostgreSQL read differently. Node 20 has the rules of 2025: in
// Vancouver and Edmonton it sets clocks back in November, and in Casablanca and Chisinau it has other offsets.

const NOW = Date.parse('2026-11-10T04:30:00.000Z')
const ZONES = [
  'America/Vancouver',
  'America/Edmonton',
  'Africa/Casablanca',
  'Europe/Chisinau',
  'Pacific/Auckland',
]
const HOURS = 26

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

async function summary(query: Record<string, string> = {}): Promise<Json> {
  const path = `/analytics/sales?${new URLSearchParams(query)}`
  return (await expectSuccess(store.tradepost.get(path, store.as))).summary
}

async function contextOfStore() {
  const { app } = store.tradepost
  return storeContextOf(
    app,
    requireRecord(await selectStore(app.db, store.as.as?.id ?? ''), 'Store'),
  )
}

const setZone = (time_zone: string) =>
  expectSuccess(store.tradepost.patch('/account/settings', { time_zone }, store.as))

const sumOf = (series: Json[], field: string): number =>
  series.reduce((sum, part) => sum + part[field], 0)

describe.each(ZONES)('in %s', (zone) => {
  test('a fresh sale of each hour counts once, on the last day of the default period (decision 446)', async () => {
    await setZone(zone)
    const { id } = await product(store.tradepost, { type: 'service', price_cents: 100 }, store.as)
    for (let sold = 1; sold <= HOURS; sold++) {
      const { paid_at } = await order(store.tradepost, id, { mark_paid: true }, store.as)
      const { to, orders_count, series } = await summary()
      const to_moment = new Date(Date.parse(paid_at) + 1).toISOString()
      const ofMoment = await summary({ from: paid_at, to: to_moment })
      const { day, hours } = await showHours(await contextOfStore())
      expect({
        paid_at,
        orders_count,
        in_series: sumOf(series, 'orders_count'),
        by_hour: sumOf(hours, 'orders_count'),
        day_of_moment: [ofMoment.from, ofMoment.to, day],
      }).toEqual({
        paid_at,
        orders_count: sold,
        in_series: sold,
        by_hour: ofMoment.orders_count,
        day_of_moment: [to, to, to],
      })
      expect(ofMoment.orders_count).toBeGreaterThan(0)
      if (sold % 5 === 0) await foldSalesJob.run(store.tradepost.app)
      if (sold < HOURS) await store.advance('1h')
    }
    const { series } = await summary({ interval: 'day' })
    const perDay: number[] = series.map(({ orders_count }: Json) => orders_count)
    expect(perDay.filter((orders) => orders > 0).length).toBe(2)
    expect(Math.max(...perDay)).toBeLessThanOrEqual(24)
  })

  test('a fresh refund of each third hour counts once, on the last day of the default period (decision 446)', async () => {
    await setZone(zone)
    const { id } = await product(store.tradepost, { type: 'service', price_cents: 100 }, store.as)
    const paidOrder = await order(
      store.tradepost,
      id,
      { items: [{ product_id: id, quantity: HOURS }], mark_paid: true },
      store.as,
    )
    for (let refunded = 1; refunded <= 8; refunded++) {
      await store.advanceTo(new Date(NOW + refunded * 3 * HOUR_MS).toISOString())
      await expectSuccess(
        store.tradepost.post(`/orders/${paidOrder.id}/refund`, { amount_cents: 1 }, store.as),
      )
      const { series } = await showRefunds(await contextOfStore(), { interval: 'day' })
      expect(sumOf(series, 'refunded_cents')).toBe(refunded)
      expect(series.at(-1)?.refunded_cents).toBeGreaterThan(0)
    }
  })
})
