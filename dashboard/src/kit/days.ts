import { formatDate, formatDateTime } from './format.ts'

/**
 * The start of a day such as `2026-11-27`, or of a later day, in the user's time zone. A text that is no day is
 * returned unchanged, so that the API refuses it.
 */
export function momentOfDay(day: string, daysLater = 0): string {
  const moment = new Date(`${day}T00:00`)
  moment.setDate(moment.getDate() + daysLater)
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString()
}

/** Formats a day such as `2026-11-27`. A text that is no day is returned unchanged. */
export function formatDay(day: string): string {
  const moment = momentOfDay(day)
  return moment === day ? day : formatDate(moment)
}

/** The day of a moment in the user's time zone, such as `2026-11-27`. */
export function dayOf(iso: string): string {
  const moment = new Date(iso)
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

const millisecondBefore = (iso: string) => new Date(Date.parse(iso) - 1).toISOString()

const isStartOfDay = (iso: string) => {
  const moment = new Date(iso)
  return moment.getHours() + moment.getMinutes() + moment.getSeconds() === 0
}

/** The last day before an exclusive end. */
export const lastDayBefore = (iso: string): string => dayOf(millisecondBefore(iso))

/** Formats a start: the day, and the time unless it is the start of the day. */
export const formatStart = (iso: string): string =>
  isStartOfDay(iso) ? formatDate(iso) : formatDateTime(iso)

/** Formats an exclusive end: the last day, or the moment if it is within a day. */
export const formatEnd = (iso: string): string =>
  isStartOfDay(iso) ? formatDate(millisecondBefore(iso)) : formatDateTime(iso)
