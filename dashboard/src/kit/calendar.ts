import { language } from '../text/catalogue.ts'

const DAY_MS = 86_400_000
/** How the API writes days: `2026-11-03`. */
const ISO_DAY = 10

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, ISO_DAY)

/** How many days a range has, with its first and last. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1

/** The moment at which a day begins in a time zone. */
export function startOfDay(day: string, timeZone: string): string {
  const midnight = Date.parse(day)
  const first = midnight - offsetOf(midnight, timeZone)
  // The offset may change between midnight in UTC and in the zone.
  return new Date(midnight - offsetOf(first, timeZone)).toISOString()
}

/** The hour of the day, 0 to 23, of a moment in a time zone. */
export const hourIn = (iso: string, timeZone: string): number =>
  Number(
    new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(
      new Date(iso),
    ),
  )

/** How far the clocks of a time zone are ahead of UTC, in milliseconds. */
function offsetOf(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(new Date(moment))
  const part = (type: string) => Number(parts.find((item) => item.type === type)?.value)
  const shown = Date.UTC(
    ...([part('year'), part('month') - 1, part('day')] as const),
    ...([part('hour'), part('minute'), part('second')] as const),
  )
  return shown - Math.floor(moment / 1_000) * 1_000
}

const long = new Intl.DateTimeFormat(language, {
  ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  timeZone: 'UTC',
})
const short = new Intl.DateTimeFormat(language, {
  ...{ day: 'numeric', month: 'short' },
  timeZone: 'UTC',
})

export const formatDay = (day: string): string => long.format(new Date(day))
export const formatShortDay = (day: string): string => short.format(new Date(day))
