import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Clocked, openClocked } from '../../../../test/clocked.ts'
import type { Json } from '../../../../test/harness.ts'
import { storeContextOf } from '../../../app.ts'
import { found } from '../../../kernel/errors.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { asStore, selectStore } from '../../installation/index.ts'
import { foldSalesJob } from './index.ts'
import { dayIn } from './periods.rules.ts'
import { SalesQuery } from './schema.ts'
import { showSales } from './show-sales.ts'

/** The same orders in time zones whose days begin and end far from midnight in UTC. */

const ZONES = [
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
const FIRST = Date.parse('2026-09-24T03:07:00.000Z')
/** All times of the day occur. */
const STEP_MINUTES = 1_656
const EVERY_TIME = Array.from({ length: 32 }, (_, n) => FIRST + n * STEP_MINUTES * MINUTE_MS)
/** Between the two midnights of a day on which clocks go back, in the Azores and in Havana. */
const BETWEEN_MIDNIGHTS = ['2026-10-25T00:30:00.000Z', '2026-11-01T04:30:00.000Z'].map(Date.parse)
const MOMENTS = [...EVERY_TIME, ...BETWEEN_MIDNIGHTS].sort((a, b) => a - b)
/** The last orders are not folded. */
const FOLDED = 28

let store: Clocked
const paid: string[] = []

beforeAll(async () => {
  store = await openClocked(FIRST)
  const { tradepost, as } = store
  const { id } = await product(tradepost, { name: 'Game', type: 'service', price_cents: 100 }, as)
  for (const [n, moment] of MOMENTS.entries()) {
    if (n > 0) await store.advanceTo(new Date(moment).toISOString())
    if (n === FOLDED) await foldSalesJob.run(tradepost.app)
    const customer = { email: `c${n % 5}@example.com`, country: n % 2 ? 'DE' : 'FR' }
    const made = await order(tradepost, id, { customer, mark_paid: true }, as)
    paid.push((await store.order(made.id)).paid_at)
  }
})
afterAll(async () => {
  await store.isSound()
  await store.tradepost.close()
})

async function summaryIn(time_zone: string, from: string, to: string): Promise<Json> {
  const { app } = store.tradepost
  const row = found(await selectStore(app.db, store.as.as?.id ?? ''), 'Store')
  const context = storeContextOf(app, Object.assign(asStore(row), { time_zone }))
  return showSales(context, SalesQuery.parse({ from, to }))
}

const PERIODS = [
  ['2026-09-20', '2026-11-30'],
  ['2026-10-25', '2026-10-25'],
  ['2026-09-28', '2026-10-04'],
  ['2026-10-30', '2026-11-02'],
] as const

test.each(ZONES)(
  'each order counts on its day in %s, in every part of the summary',
  async (zone) => {
    for (const [from, to] of PERIODS) {
      const days = paid
        .map((at) => dayIn(zone, Date.parse(at)))
        .filter((day) => day >= from && day <= to)
      const summary = await summaryIn(zone, from, to)
      const found = summary.series.flatMap(({ date, orders_count }: Json) =>
        Array(orders_count).fill(date),
      )
      expect(found, `${from} to ${to}`).toEqual(days)
      const sum = (list: Json[]) => list.reduce((total, item) => total + item.gross_cents, 0)
      const cents = days.length * 100
      expect(summary.gross_cents).toBe(cents)
      expect(sum(summary.by_country)).toBe(cents)
      expect(sum(summary.top_products)).toBe(cents)
      expect(
        summary.top_customers.reduce((total: number, item: Json) => total + item.spent_cents, 0),
      ).toBe(cents)
    }
  },
)
