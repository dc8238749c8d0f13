import { DAY_MS, iso } from '../../../kernel/time.ts'
import type { Cycle } from './schema.ts'

const DAYS: Partial<Record<Cycle, number>> = { daily: 1, weekly: 7 }
const MONTHS: Partial<Record<Cycle, number>> = { monthly: 1, quarterly: 3, yearly: 12 }

/**
 * Returns the time that is a number of cycles after the anchor. Cycles are counted from the anchor and not
 * from the last period, so that the day of the month is the anchor's again after a short month.
 */
export function cyclesAfter(anchor: string, cycle: Cycle, count: number): string {
  const days = DAYS[cycle]
  if (days !== undefined) return iso(Date.parse(anchor) + days * count * DAY_MS)
  return monthsAfter(anchor, (MONTHS[cycle] ?? 1) * count)
}

/** Returns the same day and time of a later month, or its last day if the month is too short. */
function monthsAfter(moment: string, months: number): string {
  const start = new Date(moment)
  const month = start.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(start.getUTCDate(), lastDay)
  const midnight = Date.UTC(start.getUTCFullYear(), month, day)
  return iso(midnight + (start.getTime() % DAY_MS))
}
