import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import type { Json } from '../../../../test/harness.ts'
import { openStoreWithClock, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { storeContextOf } from '../../../app.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { selectStore } from '../../installation/index.ts'
import { foldSalesJob } from './index.ts'
import { SalesQuery } from './schema.ts'
import { showSales } from './show-sales.ts'

// The sales of the same orders in time zones whose days do not begin at midnight in UTC.

const TIME_ZONES = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Havana',
  'Europe/Berlin',
  'Atlantic/Azores',
]
const FIRST_ORDER_AT = Date.parse('2026-09-24T03:07:00.000Z')
/** 27.6 hours, so that the orders have all times of the day. */
const STEP_MINUTES = 1_656
const REGULAR_TIMES = Array.from(
  { length: 32 },
  (_, n) => FIRST_ORDER_AT + n * STEP_MINUTES * MINUTE_MS,
)
/** Between the two midnights of a day on which clocks go back, in the Azores and in Havana. */
const BETWEEN_MIDNIGHTS = ['2026-10-25T00:30:00.000Z', '2026-11-01T04:30:00.000Z'].map(Date.parse)
const ORDER_TIMES = [...REGULAR_TIMES, ...BETWEEN_MIDNIGHTS].sort((a, b) => a - b)
/** The position of the first order that is not folded. */
const FIRST_UNFOLDED = 28

let store: StoreWithClock
const paidTimes: string[] = []

const dayIn = (timeZone: string, moment: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(moment)

beforeAll(async () => {
  store = await openStoreWithClock(FIRST_ORDER_AT)
  const { tradepost, as } = store
  const { id } = await product(tradepost, { name: 'Game', type: 'service', price_cents: 100 }, as)
  for (const [n, moment] of ORDER_TIMES.entries()) {
    if (n > 0) await store.advanceTo(new Date(moment).toISOString())
    if (n === FIRST_UNFOLDED) await foldSalesJob.run(tradepost.app)
    const customer = { email: `c${n % 5}@example.com`, country: n % 2 ? 'DE' : 'FR' }
    const newOrder = await order(tradepost, id, { customer, mark_paid: true }, as)
    paidTimes.push((await store.getOrder(newOrder.id)).paid_at)
  }
})
afterAll(async () => {
  await store.expectNoFindings()
  await store.tradepost.close()
})

async function summaryIn(time_zone: string, from: string, to: string): Promise<Json> {
  const { app } = store.tradepost
  const row = requireRecord(await selectStore(app.db, store.as.as?.id ?? ''), 'Store')
  const context = storeContextOf(app, Object.assign(row, { time_zone }))
  return showSales(context, SalesQuery.parse({ from, to }))
}

const PERIODS = [
  ['2026-09-20', '2026-11-30'],
  ['2026-10-25', '2026-10-25'],
  ['2026-09-28', '2026-10-04'],
  ['2026-10-30', '2026-11-02'],
] as const

test.each(TIME_ZONES)(
  'each order counts on its day in %s, in every part of the summary',
  async (timeZone) => {
    for (const [from, to] of PERIODS) {
      const expectedDays = paidTimes
        .map((at) => dayIn(timeZone, Date.parse(at)))
        .filter((day) => day >= from && day <= to)
      const summary = await summaryIn(timeZone, from, to)
      const orderDays = summary.series.flatMap(({ date, orders_count }: Json) =>
        Array(orders_count).fill(date),
      )
      expect(orderDays, `${from} to ${to}`).toEqual(expectedDays)
      const sumOf = (list: Json[], field: string): number =>
        list.reduce((total, item) => total + item[field], 0)
      const expectedCents = expectedDays.length * 100
      expect(summary.gross_cents).toBe(expectedCents)
      expect(sumOf(summary.by_country, 'gross_cents')).toBe(expectedCents)
      expect(sumOf(summary.top_products, 'gross_cents')).toBe(expectedCents)
      expect(sumOf(summary.top_customers, 'spent_cents')).toBe(expectedCents)
    }
  },
)
