import { DAY_MS, HOUR_MS } from '../../kernel/time.ts'
import type { Random } from './random.ts'

/** How much of the trade falls on an hour of the day, and on a day of the week from Sunday. */
const HOURS = [
  3, 2, 1, 1, 1, 2, 3, 5, 8, 10, 11, 12, 12, 11, 11, 12, 13, 14, 16, 19, 20, 17, 11, 6,
] as const
const WEEKDAYS = [9, 10, 10, 11, 12, 14, 12] as const
/** The factor by which the last day sells more than the first. */
const GROWTH = 1.9

/** Moments of sales from `from` to `until`, in their order: a rhythm of days and weeks that grows. */
export function saleMoments(
  random: Random,
  count: number,
  { from, until }: { from: number; until: number },
): number[] {
  const hours = Math.floor((until - from) / HOUR_MS)
  const weights = Array.from({ length: hours }, (_, at) => {
    const moment = new Date(from + at * HOUR_MS)
    const grown = 1 + (GROWTH - 1) * (at / hours)
    return (HOURS[moment.getUTCHours()] ?? 1) * (WEEKDAYS[moment.getUTCDay()] ?? 1) * grown
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const moments: number[] = []
  let hour = 0
  let passed = 0
  for (let sale = 0; sale < count; sale++) {
    const target = ((sale + random.next()) / count) * total
    while (hour < hours - 1 && passed + (weights[hour] ?? 0) < target)
      passed += weights[hour++] ?? 0
    const part = Math.min(0.999, (target - passed) / (weights[hour] ?? 1))
    moments.push(Math.floor(from + (hour + part) * HOUR_MS))
  }
  return moments.sort((a, b) => a - b)
}

export const OUTCOMES = [
  'paid',
  'transfer',
  'refunded',
  'partly_refunded',
  'cancelled',
  'expired',
  'waiting',
  'in_review',
  'partly_paid',
] as const
export type Outcome = (typeof OUTCOMES)[number]

const ENDED: readonly (readonly [Outcome, number])[] = [
  ['paid', 70],
  ['transfer', 12],
  ['refunded', 4],
  ['partly_refunded', 2],
  ['cancelled', 4],
  ['expired', 8],
]
/** Outcomes of the newest orders; the others have come to an end. */
const OPEN: readonly Outcome[] = [
  'paid',
  'waiting',
  'in_review',
  'waiting',
  'partly_paid',
  'waiting',
]
const FRESH: readonly (readonly [Outcome, number])[] = [
  ['paid', 85],
  ['transfer', 15],
]
/** An order that is younger than this has not expired, and was not refunded yet. */
const FRESH_MS = 3 * DAY_MS

/** The outcome of an order. `left` is the number of orders after it. */
export function outcomeOf(
  random: Random,
  { age_ms, left }: { age_ms: number; left: number },
): Outcome {
  const open = OPEN[OPEN.length - 1 - left]
  if (open) return open
  return random.weighted(age_ms < FRESH_MS ? FRESH : ENDED)
}

/** The customer of each order: all of them buy, and early customers come back. */
export function buyersOf(random: Random, orders: number, people: number): number[] {
  return Array.from({ length: orders }, (_, at) => {
    const known = Math.floor((at * people) / orders)
    const isNew = at === 0 || known !== Math.floor(((at - 1) * people) / orders)
    return isNew ? known : random.whole(0, known)
  })
}
