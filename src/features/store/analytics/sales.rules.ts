import { cutSum } from '../../../kernel/sums.ts'
import type { RefundsRow } from './dashboard-schema.ts'
import { eachDay, type Interval, intervalOf, type Period } from './periods.rules.ts'
import type { Counter } from './queries/deltas.ts'
import type { SalesRow, SalesTotals } from './schema.ts'

/** Exact sums, which are cut only in an answer (decision 175). */
export type SalesCounters = Record<Counter, bigint>
export type DaySales = SalesCounters & { day: string }

/** Returns the totals of a period. Returning customers cannot be summed from days, so they are an argument. */
export function totalsOf(days: readonly DaySales[], returning_customers: number): SalesTotals {
  const sum = (name: Counter) => days.reduce((total, row) => total + row[name], 0n)
  const count = (name: Counter) => cutSum(sum(name))
  // The counter `orders` counts paid orders, and `created` all orders.
  const orders_count = count('orders')
  const created = count('created')
  const paid_cents = sum('gross_cents') - sum('discount_cents') + sum('shipping_cents')
  return {
    orders_count,
    completed_count: count('completed'),
    units_sold: count('units'),
    gross_cents: count('gross_cents'),
    discount_cents: count('discount_cents'),
    shipping_cents: count('shipping_cents'),
    refunded_cents: count('refunded_cents'),
    net_cents: cutSum(paid_cents - sum('refunded_cents')),
    average_order_cents: orders_count === 0 ? 0 : Math.round(Number(paid_cents) / orders_count),
    new_customers: count('new_customers'),
    returning_customers,
    conversion_rate: created === 0 ? 0 : round(count('converted') / created, 4),
  }
}

/** Returns a row for each interval of the period, including intervals without sales. */
export function seriesOf(
  days: readonly DaySales[],
  period: Period,
  interval: Interval,
): SalesRow[] {
  const rows = new Map<string, { orders: bigint; gross_cents: bigint; net_cents: bigint }>()
  const byDay = new Map(days.map((row) => [row.day, row]))
  for (const day of eachDay(period)) {
    const date = intervalOf(day, interval, period)
    const row = rows.get(date) ?? { orders: 0n, gross_cents: 0n, net_cents: 0n }
    rows.set(date, row)
    const sales = byDay.get(day)
    if (!sales) continue
    row.orders += sales.orders
    row.gross_cents += sales.gross_cents
    row.net_cents +=
      sales.gross_cents - sales.discount_cents + sales.shipping_cents - sales.refunded_cents
  }
  return [...rows].map(([date, { orders, gross_cents, net_cents }]) => ({
    date,
    orders_count: cutSum(orders),
    gross_cents: cutSum(gross_cents),
    net_cents: cutSum(net_cents),
  }))
}

/** Returns a row for each interval of the period, including intervals without refunds. */
export function refundSeriesOf(
  days: readonly (Omit<RefundsRow, 'date'> & { day: string })[],
  period: Period,
  interval: Interval,
): RefundsRow[] {
  const rows = new Map<string, RefundsRow>()
  const byDay = new Map(days.map((row) => [row.day, row]))
  for (const day of eachDay(period)) {
    const date = intervalOf(day, interval, period)
    const row = rows.get(date) ?? { date, refunds_count: 0, refunded_cents: 0 }
    rows.set(date, row)
    const refunds = byDay.get(day)
    if (!refunds) continue
    row.refunds_count += refunds.refunds_count
    // Only added up, so a cut sum of a day gives the same cut sum.
    row.refunded_cents = cutSum(row.refunded_cents + refunds.refunded_cents)
  }
  return [...rows.values()]
}

/** Returns the change of each total in percent, with one decimal; null if the total was 0 before. */
export function changeOf(
  current: SalesTotals,
  previous: SalesTotals,
): Record<keyof SalesTotals, number | null> {
  const names = Object.keys(current) as (keyof SalesTotals)[]
  const changes = names.map((name) => [name, percentChange(current[name], previous[name])])
  return Object.fromEntries(changes)
}

const percentChange = (current: number, previous: number): number | null =>
  previous === 0 ? null : round((100 * (current - previous)) / Math.abs(previous), 1)

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

/** A candidate of a ranking. Its exact value is at most its stored bound, by which candidates are read. */
export interface RankingCandidate {
  id: number
  value: number
  bound: number
}

export const TOP_COUNT = 5

/** Returns the candidates with the highest values. Of equal values, the higher id is first. */
export const highestRanked = <T extends RankingCandidate>(candidates: readonly T[]): T[] =>
  candidates
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || b.id - a.id)
    .slice(0, TOP_COUNT)

/**
 * Returns true if no unread candidate can enter the ranking or change its sequence. The bounds of unread
 * candidates, and so their values, are at most `nextBound`. Candidates are read in descending order of bound
 * and id, so at equal values an unread one is behind a read one only if both have the same bound.
 */
export const isRankingFinal = (
  candidates: readonly RankingCandidate[],
  nextBound: number,
): boolean => {
  const top = highestRanked(candidates)
  const staysAhead = ({ value, bound }: RankingCandidate) =>
    value > nextBound || (value === nextBound && bound === nextBound)
  return top.length === TOP_COUNT && top.every(staysAhead)
}
