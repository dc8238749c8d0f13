/**
 * The machine's clock in tests. A fixture reads it once, and hands the time to what it fills and to what it asks, so
 * that nothing depends on how long the filling takes. Durations are measured by `stopwatch`, which no change of the
 * clock affects.
 */

/** The time in seconds, as signatures contain it. */
export const now_s = (): number => Math.floor(Date.now() / 1_000)

/** The time in this many milliseconds; negative for the past. */
export const fromNow_ms = (ms: number): number => Date.now() + ms

/** The time in this many milliseconds as ISO 8601 text; negative for the past. */
export const fromNow = (ms: number): string => new Date(fromNow_ms(ms)).toISOString()

/** Returns a function that returns the milliseconds since. */
export function stopwatch(): () => number {
  const startedAt = performance.now()
  return () => performance.now() - startedAt
}

/** Returns a function that returns true once this time is over. */
export function timeLimit(ms: number): () => boolean {
  const elapsed_ms = stopwatch()
  return () => elapsed_ms() > ms
}
