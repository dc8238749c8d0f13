import { FAILURES_MAX, type Health, shouldTurnOff } from './health.rules.ts'
import { waitAfter } from './retry.rules.ts'

/** The next attempt of a pending delivery. */
interface PendingAttempt {
  /** Unix milliseconds. */
  at: number
  /** The number of steps of the schedule that are used up. */
  step: number
}

/**
 * Returns the moment at which an endpoint is turned off if all currently planned attempts fail. Returns
 * undefined if they are too few to turn it off; future events add further attempts.
 */
export function turnOffTime(
  health: Health,
  pendingAttempts: readonly PendingAttempt[],
): number | undefined {
  const attempts = pendingAttempts.flatMap(scheduleOf).sort((a, b) => a - b)
  const { last_success_at, failures_in_row } = health
  return attempts.find((attemptedAt, index) =>
    shouldTurnOff({ last_success_at, failures_in_row: failures_in_row + index + 1 }, attemptedAt),
  )
}

/** Returns the earliest times of all attempts of a delivery if each of them fails. */
function scheduleOf({ at, step }: PendingAttempt): number[] {
  const times = [at]
  for (let failures = step + 1, time = at; ; failures++) {
    const wait_ms = waitAfter(failures, 0)
    if (wait_ms === undefined) return times
    time += wait_ms
    times.push(time)
  }
}

/** Returns the number of further failures after which an endpoint can be turned off. */
export const remainingFailures = ({ failures_in_row }: Pick<Health, 'failures_in_row'>): number =>
  Math.max(0, FAILURES_MAX - failures_in_row)
