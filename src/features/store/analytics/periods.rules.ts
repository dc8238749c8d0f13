import { invalid } from '../../../kernel/errors.ts'
import { DAY_MS } from '../../../kernel/time.ts'

/** Days of a calendar, `YYYY-MM-DD`, both included. */
export interface Period {
  from: string
  to: string
}

/** A day, or a moment that stands for the day around it. */
export type DayOrMoment = { day: string } | { moment: string }

const DAYS_DEFAULT = 30
const DAYS_MAX = 366
const DAY_DIGITS = '2026-01-31'.length

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, DAY_DIGITS)

/** How many days a period has. */
export const daysOf = ({ from, to }: Period): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

/** The day of a moment in a time zone. */
export const dayIn = (zone: string, moment: number): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(moment)

/** The asked period, by default the last 30 days. A moment in `to` is exclusive. */
export function periodOf(
  { from, to }: { from?: DayOrMoment | undefined; to?: DayOrMoment | undefined },
  { zone, now }: { zone: string; now: string },
): Period {
  const last = lastDay(to, zone) ?? dayIn(zone, Date.parse(now))
  const first = firstDay(from, zone) ?? addDays(last, 1 - DAYS_DEFAULT)
  const period = { from: first, to: last }
  if (first > last) {
    const why = `The period ends on ${last}, before it begins on ${first}. Use an earlier day.`
    throw invalid('from', why)
  }
  if (daysOf(period) > DAYS_MAX) {
    const why = `The period has ${daysOf(period)} days. Ask for at most ${DAYS_MAX} at once.`
    throw invalid('from', why)
  }
  return period
}

const firstDay = (from: DayOrMoment | undefined, zone: string): string | undefined =>
  from && ('day' in from ? from.day : dayIn(zone, Date.parse(from.moment)))

const lastDay = (to: DayOrMoment | undefined, zone: string): string | undefined =>
  to && ('day' in to ? to.day : dayIn(zone, Date.parse(to.moment) - 1))

/** As many days, directly before. */
export const periodBefore = (period: Period): Period => ({
  from: addDays(period.from, -daysOf(period)),
  to: addDays(period.from, -1),
})

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

const SUNDAY = 0
const DAYS_OF_WEEK = 7

/** The first day of the interval of a day within the period. Weeks begin on Monday. */
export function intervalOf(day: string, interval: Interval, { from }: Period): string {
  const first =
    interval === 'day' ? day : interval === 'week' ? mondayOf(day) : `${day.slice(0, 8)}01`
  return first < from ? from : first
}

function mondayOf(day: string): string {
  const weekday = new Date(day).getUTCDay()
  return addDays(day, weekday === SUNDAY ? 1 - DAYS_OF_WEEK : 1 - weekday)
}

/** All days of a period, in their order. */
export const eachDay = (period: Period): string[] =>
  Array.from({ length: daysOf(period) }, (_, n) => addDays(period.from, n))
