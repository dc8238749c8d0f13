export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A source of the current time. It is an argument, so that tests can replace it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * A clock that counts milliseconds since the process began. It cannot be set, so it is for durations
 * (decision 112).
 */
export const steadyClock: Clock = { now: () => performance.now() }

/** Writes a time in the API's format: ISO 8601 in UTC with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString()

/** Returns the calendar month of a time in UTC, such as `2026-11`. */
export const monthOf = (ms: number): string => iso(ms).slice(0, 7)

export function startOfNextMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

const UNITS: Record<string, number> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** Parses a duration such as `90m`, `12h`, `3d` or `45s` to milliseconds. Returns undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return amount && unit ? Number(amount) * (UNITS[unit] ?? 0) : undefined
}

/** Adds seconds to a time. */
export const addSeconds = (moment: string, seconds: number): string =>
  iso(Date.parse(moment) + seconds * SECOND_MS)
