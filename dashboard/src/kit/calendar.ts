import { language } from '../text/catalogue.ts'
import { once } from './once.ts'
import { ISO_DAY_LENGTH } from './zone.ts'

const DAY_MS = 86_400_000

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, ISO_DAY_LENGTH)

/** The number of days in a range, including the first and the last. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1

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
