import { eachDay, type Interval, intervalOf, type Period } from './periods.rules.ts'
import type { Counter } from './queries/deltas.ts'
import type { SalesRow, SalesTotals } from './schema.ts'

export type Counters = Record<Counter, number>
export type DaySales = Counters & { day: string }

/** The totals of a period. Which customers returned cannot be added up from days. */
export function totalsOf(days: readonly DaySales[], returning_customers: number): SalesTotals {
  const sum = (name: Counter) => days.reduce((total, row) => total + row[name], 0)
  const orders_count = sum('orders')
  const created = sum('created')
  const paid_cents = sum('gross_cents') - sum('discount_cents') + sum('shipping_cents')
  return {
    orders_count,
    completed_count: sum('completed'),
    units_sold: sum('units'),
    gross_cents: sum('gross_cents'),
    discount_cents: sum('discount_cents'),
    shipping_cents: sum('shipping_cents'),
    refunded_cents: sum('refunded_cents'),
    net_cents: paid_cents - sum('refunded_cents'),
    average_order_cents: orders_count === 0 ? 0 : Math.round(paid_cents / orders_count),
    new_customers: sum('new_customers'),
    returning_customers,
    conversion_rate: created === 0 ? 0 : rounded(sum('converted') / created, 4),
  }
}

/** A row for each interval of the period, empty ones too. */
export function seriesOf(
  days: readonly DaySales[],
  period: Period,
  interval: Interval,
): SalesRow[] {
  const rows = new Map<string, SalesRow>()
  const byDay = new Map(days.map((row) => [row.day, row]))
  for (const day of eachDay(period)) {
    const date = intervalOf(day, interval, period)
    const row = rows.get(date) ?? { date, orders_count: 0, gross_cents: 0, net_cents: 0 }
    rows.set(date, row)
    const sales = byDay.get(day)
    if (!sales) continue
    row.orders_count += sales.orders
    row.gross_cents += sales.gross_cents
    row.net_cents +=
      sales.gross_cents - sales.discount_cents + sales.shipping_cents - sales.refunded_cents
  }
  return [...rows.values()]
}

/** In percent, with one decimal; null if there was nothing before. */
export function changeOf(
  now: SalesTotals,
  before: SalesTotals,
): Record<keyof SalesTotals, number | null> {
  const names = Object.keys(now) as (keyof SalesTotals)[]
  const changes = names.map((name) => [name, percent(now[name], before[name])])
  return Object.fromEntries(changes)
}

const percent = (now: number, before: number): number | null =>
  before === 0 ? null : rounded((100 * (now - before)) / Math.abs(before), 1)

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** A candidate of a ranking. No value exceeds its bound. */
export interface Ranked {
  id: number
  value: number
  bound: number
}

export const TOP = 5

/** The highest values, ties by the higher id. */
export const highest = <T extends Ranked>(candidates: readonly T[]): T[] =>
  candidates
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || b.id - a.id)
    .slice(0, TOP)

/**
 * True if candidates with at most this bound cannot change the ranking any more. They come by falling bound
 * and id, so that none of them wins a tie against an earlier one with the same bound.
 */
export const isDecided = (found: readonly Ranked[], bound: number): boolean => {
  const top = highest(found)
  const winsTie = (item: Ranked) => item.value > bound || item.bound === bound
  return top.length === TOP && top.every((item) => item.value >= bound && winsTie(item))
}
