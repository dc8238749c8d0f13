import { FAILURES_MAX, type Health, isTurnedOff } from './health.rules.ts'
import { waitAfter } from './retry.rules.ts'

/** A delivery that will be attempted again: when, and how many attempts it has used up. */
export interface PendingAttempt {
  at: number
  step: number
}

/**
 * When an endpoint is turned off if every attempt fails that is planned now. Undefined if these do
 * not suffice: future events bring further attempts.
 */
export function turnOffTime(
  health: Health,
  pending: readonly PendingAttempt[],
): number | undefined {
  const attempts = pending.flatMap(scheduleOf).sort((item, other) => item - other)
  const { last_success_at, failures_in_row } = health
  return attempts.find((at, index) =>
    isTurnedOff({ last_success_at, failures_in_row: failures_in_row + index + 1 }, at),
  )
}

/** The attempts of a delivery that fails each of them. */
function scheduleOf({ at, step }: PendingAttempt): number[] {
  const times = [at]
  for (let used = step + 1, time = at; ; used++) {
    const wait_ms = waitAfter(used, 0)
    if (wait_ms === undefined) return times
    time += wait_ms
    times.push(time)
  }
}

/** The failures that are left before an endpoint can be turned off. */
export const failuresLeft = ({ failures_in_row }: Pick<Health, 'failures_in_row'>): number =>
  Math.max(0, FAILURES_MAX - failures_in_row)
