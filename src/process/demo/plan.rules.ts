import { DAY_MS, HOUR_MS } from '../../kernel/time.ts'
import type { Random } from './random.ts'

/** The weights of orders by hour of the day, and by day of the week from Sunday on. */
const HOURS = [
  3, 2, 1, 1, 1, 2, 3, 5, 8, 10, 11, 12, 12, 11, 11, 12, 13, 14, 16, 19, 20, 17, 11, 6,
] as const
const WEEKDAYS = [9, 10, 10, 11, 12, 14, 12] as const
/** The ratio of the orders of the last day to those of the first. */
const GROWTH = 1.9

/** Returns sorted times of orders from `from` to `until`, with a growing daily and weekly rhythm. */
export function saleMoments(
  random: Random,
  count: number,
  { from, until }: { from: number; until: number },
): number[] {
  const hours = Math.floor((until - from) / HOUR_MS)
  const weights = Array.from({ length: hours }, (_, hourIndex) => {
    const moment = new Date(from + hourIndex * HOUR_MS)
    const growth = 1 + (GROWTH - 1) * (hourIndex / hours)
    return (HOURS[moment.getUTCHours()] ?? 1) * (WEEKDAYS[moment.getUTCDay()] ?? 1) * growth
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const moments: number[] = []
  let hour = 0
  let weightBefore = 0
  for (let sale = 0; sale < count; sale++) {
    const target = ((sale + random.next()) / count) * total
    while (hour < hours - 1 && weightBefore + (weights[hour] ?? 0) < target)
      weightBefore += weights[hour++] ?? 0
    const part = Math.min(0.999, (target - weightBefore) / (weights[hour] ?? 1))
    moments.push(Math.floor(from + (hour + part) * HOUR_MS))
  }
  return moments.sort((a, b) => a - b)
}

const OUTCOMES = [
  'paid',
  'transfer',
  'refunded',
  'partly_refunded',
  'cancelled',
  'expired',
  'waiting',
  'in_review',
  'partly_paid',
  'disputed',
  'declined',
  'paying',
] as const
export type OrderOutcome = (typeof OUTCOMES)[number]

const ENDED_WEIGHTS: readonly (readonly [OrderOutcome, number])[] = [
  ['paid', 70],
  ['transfer', 12],
  ['refunded', 4],
  ['partly_refunded', 2],
  ['cancelled', 4],
  ['expired', 8],
]
/** The outcomes of the newest orders, the newest last. Most are paid, so that the home page shows sales. */
const NEWEST: readonly OrderOutcome[] = [
  'waiting',
  'paid',
  'in_review',
  'paid',
  'paid',
  'declined',
  'disputed',
  'paid',
  'partly_paid',
  'paying',
  'paid',
]
const FRESH_WEIGHTS: readonly (readonly [OrderOutcome, number])[] = [
  ['paid', 85],
  ['transfer', 15],
]
/** The age below which an order has not expired and was not refunded. */
const FRESH_MS = 3 * DAY_MS

/** Returns the outcome of an order. `newerOrders` is the number of orders after it. */
export function outcomeOf(
  random: Random,
  { age_ms, newerOrders }: { age_ms: number; newerOrders: number },
): OrderOutcome {
  const newest = NEWEST[NEWEST.length - 1 - newerOrders]
  if (newest) return newest
  return random.weighted(age_ms < FRESH_MS ? FRESH_WEIGHTS : ENDED_WEIGHTS)
}

/** Returns the index of the customer of each order. Every customer buys, and early customers buy again. */
export function buyersOf(random: Random, orders: number, people: number): number[] {
  return Array.from({ length: orders }, (_, index) => {
    const newest = Math.floor((index * people) / orders)
    const isNew = index === 0 || newest !== Math.floor(((index - 1) * people) / orders)
    return isNew ? newest : random.whole(0, newest)
  })
}
