import { addDays } from './calendar.ts'
import { formatDate, formatDateTime } from './format.ts'
import { dayAt, startOfDay } from './zone-days.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const SECOND_MS = 1_000

/**
 * The start of a day such as `2026-11-27`, or of a later day, in the time zone of the store. A text that is no day is
 * returned unchanged, so that the API refuses it.
 */
export const momentOfDay = (day: string, daysLater = 0): string =>
  isDay(day) ? startOfDay(addDays(day, daysLater)) : day

const isDay = (text: string): boolean => DAY.test(text) && !Number.isNaN(Date.parse(text))

/** The last second of a day. A text that is no day is returned unchanged. */
export const lastSecondOf = (day: string): string =>
  isDay(day) ? new Date(Date.parse(momentOfDay(day, 1)) - SECOND_MS).toISOString() : day

/** Formats a day such as `2026-11-27`. A text that is no day is returned unchanged. */
export const formatDay = (day: string): string => (isDay(day) ? formatDate(startOfDay(day)) : day)

/** The day of a moment in the time zone of the store, such as `2026-11-27`. */
export const dayOf = (iso: string): string => dayAt(Date.parse(iso))

const millisecondBefore = (iso: string) => new Date(Date.parse(iso) - 1).toISOString()

const isStartOfDay = (iso: string): boolean => {
  const sinceStart_ms = Date.parse(iso) - Date.parse(startOfDay(dayOf(iso)))
  return sinceStart_ms >= 0 && sinceStart_ms < SECOND_MS
}

/** The last day before an exclusive end. */
export const lastDayBefore = (iso: string): string => dayOf(millisecondBefore(iso))

/** Formats a start: the day, and the time unless it is the start of the day. */
export const formatStart = (iso: string): string =>
  isStartOfDay(iso) ? formatDate(iso) : formatDateTime(iso)

/** Formats an exclusive end: the last day, or the moment if it is within a day. */
export const formatEnd = (iso: string): string =>
  isStartOfDay(iso) ? formatDate(millisecondBefore(iso)) : formatDateTime(iso)
