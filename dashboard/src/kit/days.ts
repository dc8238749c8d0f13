import { formatDate, formatDateTime } from './format.ts'

/** The start of a day such as `2026-11-27` in the reader's time zone, some days later. */
export function momentOfDay(day: string, days = 0): string {
  const moment = new Date(`${day}T00:00`)
  moment.setDate(moment.getDate() + days)
  return moment.toISOString()
}

/** The day of a moment in the reader's time zone, such as `2026-11-27`. */
export function dayOf(iso: string): string {
  const moment = new Date(iso)
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

const lastInstant = (iso: string) => new Date(Date.parse(iso) - 1).toISOString()

const startsDay = (iso: string) => {
  const moment = new Date(iso)
  return moment.getHours() + moment.getMinutes() + moment.getSeconds() === 0
}

/** The last day before an exclusive end. */
export const lastDayBefore = (iso: string): string => dayOf(lastInstant(iso))

/** A start in words: the day, with the time unless it is the start of the day. */
export const formatStart = (iso: string): string =>
  startsDay(iso) ? formatDate(iso) : formatDateTime(iso)

/** An exclusive end in words: the last day, or the moment if it is within a day. */
export const formatEnd = (iso: string): string =>
  startsDay(iso) ? formatDate(lastInstant(iso)) : formatDateTime(iso)
