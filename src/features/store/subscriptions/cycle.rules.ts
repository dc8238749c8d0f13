import { DAY_MS, iso } from '../../../kernel/time.ts'
import type { Cycle } from './schema.ts'

const DAYS: Partial<Record<Cycle, number>> = { daily: 1, weekly: 7 }
const MONTHS: Partial<Record<Cycle, number>> = { monthly: 1, quarterly: 3, yearly: 12 }

/**
 * The moment of a number of cycles after the anchor. It is counted from the anchor and not from the
 * last period, so that after a short month the day is again that of the anchor.
 */
export function cyclesAfter(anchor: string, cycle: Cycle, count: number): string {
  const days = DAYS[cycle]
  if (days !== undefined) return iso(Date.parse(anchor) + days * count * DAY_MS)
  return monthsAfter(anchor, (MONTHS[cycle] ?? 1) * count)
}

/** The same day and time of a later month, or the last day of a month that is too short. */
function monthsAfter(moment: string, months: number): string {
  const from = new Date(moment)
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  const midnight = Date.UTC(from.getUTCFullYear(), month, day)
  return iso(midnight + (from.getTime() % DAY_MS))
}
