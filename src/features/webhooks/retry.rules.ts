import { HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'

/** The waits after the first, second … failure of seven attempts (specification, "Delivery and retries"). */
export const RETRY_AFTER_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
] as const

/** The maximum delay of an attempt, as a share of its wait. An attempt is never early (decision 17). */
const JITTER = 0.02

/**
 * Returns the wait after failure number `step` in milliseconds; undefined after the last. `chance` is a number
 * from 0 to 1 that spreads deliveries that failed together; it is 0 if the store's clock was moved.
 */
export function waitAfter(step: number, chance: number): number | undefined {
  const wait_ms = RETRY_AFTER_MS[step - 1]
  return wait_ms === undefined ? undefined : Math.round(wait_ms * (1 + JITTER * chance))
}

/** The number of crashes that use none of the seven attempts. */
export const LOST_FREE_MAX = 3

/** Parked deliveries whose event is older than this end as failed when their endpoint is turned on. */
export const PARKED_MAX_MS = 21 * HOUR_MS
