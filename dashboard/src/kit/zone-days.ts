import { browserZone, ISO_DAY_LENGTH, timeZone } from './zone.ts'

const DAY_MS = 86_400_000
const SECOND_MS = 1_000
const HALF_YEAR_MS = 182 * DAY_MS

/** True if the clock of the browser shows the same time as that of the store, in summer and in winter. */
export const isReadersZone = (now_ms = Date.now()): boolean =>
  [now_ms, now_ms + HALF_YEAR_MS].every(
    (moment_ms) => offsetOf(moment_ms, timeZone()) === offsetOf(moment_ms, browserZone()),
  )

/** The day of a moment in a zone, such as `2026-11-27`. */
export const dayAt = (moment_ms: number, zone = timeZone()): string =>
  new Date(moment_ms + offsetOf(moment_ms, zone)).toISOString().slice(0, ISO_DAY_LENGTH)

/**
 * The first moment of a day in a zone. Where clocks skip midnight, the day begins at 01:00; where midnight occurs
 * twice, it begins at the first.
 */
export function startOfDay(day: string, zone = timeZone()): string {
  const utcMidnight_ms = Date.parse(day)
  // The offset may change at midnight, so those of the day before and the day after are both tried.
  const candidates_ms = [-DAY_MS, DAY_MS].map(
    (shift_ms) => utcMidnight_ms - offsetOf(utcMidnight_ms + shift_ms, zone),
  )
  const within_ms = candidates_ms.filter((moment_ms) => dayAt(moment_ms, zone) === day)
  return new Date(Math.min(...(within_ms.length > 0 ? within_ms : candidates_ms))).toISOString()
}

/** The offset of a zone from UTC at a moment, in milliseconds. */
function offsetOf(moment_ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(new Date(moment_ms))
  const part = (type: string) => Number(parts.find((item) => item.type === type)?.value)
  const localTime_ms = Date.UTC(
    ...([part('year'), part('month') - 1, part('day')] as const),
    ...([part('hour'), part('minute'), part('second')] as const),
  )
  return localTime_ms - Math.floor(moment_ms / SECOND_MS) * SECOND_MS
}
