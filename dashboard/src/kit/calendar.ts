import { language } from '../text/catalogue.ts'
import { once } from './once.ts'

const DAY_MS = 86_400_000
/** The number of characters of a day in the API, such as `2026-11-03`. */
const ISO_DAY_LENGTH = 10

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, ISO_DAY_LENGTH)

/** The number of days in a range, including the first and the last. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1

/** The moment at which a day begins in a time zone. */
export function startOfDay(day: string, timeZone: string): string {
  const utcMidnight_ms = Date.parse(day)
  const estimate_ms = utcMidnight_ms - offsetOf(utcMidnight_ms, timeZone)
  // The offset can change between midnight in UTC and midnight in the zone, so it is read at the estimate.
  return new Date(utcMidnight_ms - offsetOf(estimate_ms, timeZone)).toISOString()
}

/** The offset of a time zone from UTC at a moment, in milliseconds. */
function offsetOf(moment_ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(new Date(moment_ms))
  const part = (type: string) => Number(parts.find((item) => item.type === type)?.value)
  const localTime_ms = Date.UTC(
    ...([part('year'), part('month') - 1, part('day')] as const),
    ...([part('hour'), part('minute'), part('second')] as const),
  )
  return localTime_ms - Math.floor(moment_ms / 1_000) * 1_000
}

const longFormat = once(
  () =>
    new Intl.DateTimeFormat(language, {
      ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
      timeZone: 'UTC',
    }),
)
const shortFormat = once(
  () =>
    new Intl.DateTimeFormat(language, {
      ...{ day: 'numeric', month: 'short' },
      timeZone: 'UTC',
    }),
)

export const formatDay = (day: string): string => longFormat().format(new Date(day))
export const formatShortDay = (day: string): string => shortFormat().format(new Date(day))
