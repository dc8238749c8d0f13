import { invalid } from '../../../kernel/errors.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'

/** Two calendar days, `YYYY-MM-DD`, both included. */
export interface Period {
  from: string
  to: string
}

/** A calendar day, or a moment, which selects the day that contains it. */
type DayOrMoment = { day: string } | { moment: string }

const DAYS_DEFAULT = 30
const DAYS_MAX = 366
/** The length of a calendar day as text. */
export const DAY_LENGTH = '2026-01-31'.length

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, DAY_LENGTH)

/** Returns the number of days in a period. */
const daysOf = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

/** The first and the last day of a request, either of which may be omitted. */
export interface RequestedPeriod {
  from?: DayOrMoment | undefined
  to?: DayOrMoment | undefined
}

/**
 * Returns the moments whose calendar days `periodOf` needs, in UTC, because the database does not read every offset. A
 * moment in `to` is exclusive.
 */
export function momentsOf({ from, to }: RequestedPeriod, now: string): Record<Edge, string | null> {
  const first = from && 'moment' in from ? iso(Date.parse(from.moment)) : null
  const last = to && 'moment' in to ? iso(Date.parse(to.moment) - 1) : null
  return { now, from: first, to: last }
}

type Edge = 'now' | 'from' | 'to'

/** The calendar days of the moments of a request, in the time zone of the store. */
export type DaysOfMoments = Record<'from' | 'to', string | null> & { now: string }

/** Returns the requested period, by default the last 30 days. */
export function periodOf({ from, to }: RequestedPeriod, days: DaysOfMoments): Period {
  const last = (to && 'day' in to ? to.day : days.to) ?? days.now
  const first = (from && 'day' in from ? from.day : days.from) ?? addDays(last, 1 - DAYS_DEFAULT)
  const period = { from: first, to: last }
  if (first > last) {
    const message = `The period ends on ${last}, before it begins on ${first}. Use an earlier day.`
    throw invalid('from', message)
  }
  if (daysOf(period) > DAYS_MAX) {
    const message = `The period has ${daysOf(period)} days. Request at most ${DAYS_MAX} days.`
    throw invalid('from', message)
  }
  return period
}

/** Returns the period of the same length that ends on the previous day. */
export const periodBefore = (period: Period): Period => ({
  from: addDays(period.from, -daysOf(period)),
  to: addDays(period.from, -1),
})

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

const SUNDAY = 0
const DAYS_OF_WEEK = 7

/** Returns the first day, within the period, of the interval that contains a day. Weeks begin on Monday. */
export function intervalOf(day: string, interval: Interval, { from }: Period): string {
  const first = FIRST_DAY_OF[interval](day)
  return first < from ? from : first
}

const FIRST_DAY_OF: Record<Interval, (day: string) => string> = {
  day: (day) => day,
  week: mondayOf,
  month: (day) => `${day.slice(0, 'YYYY-MM'.length)}-01`,
}

function mondayOf(day: string): string {
  const weekday = new Date(day).getUTCDay()
  return addDays(day, weekday === SUNDAY ? 1 - DAYS_OF_WEEK : 1 - weekday)
}

/** Returns all days of a period in ascending order. */
export const eachDay = (period: Period): string[] =>
  Array.from({ length: daysOf(period) }, (_, index) => addDays(period.from, index))
