import { HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'

/** Waits after the first, second … failure. Six waits: seven attempts in all (specification, "Delivery and retries"). */
export const RETRY_AFTER_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
] as const

/** At most so much later than the schedule, never earlier (decision 17). */
const JITTER = 0.02

/**
 * How long to wait after the failure number `step`, in milliseconds; undefined when the schedule is
 * over. `chance` is 0 to 1 and spreads deliveries that failed together; under a moved clock it is
 * 0.
 */
export function waitAfter(step: number, chance: number): number | undefined {
  const wait_ms = RETRY_AFTER_MS[step - 1]
  return wait_ms === undefined ? undefined : Math.round(wait_ms * (1 + JITTER * chance))
}

/** A lease lost to a crash uses none of the seven attempts, three times; after that it does. */
export const LOST_FREE_MAX = 3

/** Parked deliveries whose event is older than this end as failed when their endpoint is turned on. */
export const PARKED_MAX_MS = 21 * HOUR_MS
