import { DAY_MS } from '../../kernel/time.ts'

/** The recent results of an endpoint. Moments are Unix milliseconds by its store's clock. */
export interface Health {
  failures_in_row: number
  last_success_at: number | null
}

export const FAILURES_MAX = 40
export const GRACE_MS = 3 * DAY_MS

/** Returns the health of an endpoint after further outcomes of automatic attempts. */
export function healthAfter(before: Health, outcomes: readonly boolean[], now: number): Health {
  let { failures_in_row, last_success_at } = before
  for (const ok of outcomes) {
    failures_in_row = ok ? 0 : failures_in_row + 1
    if (ok) last_success_at = now
  }
  return { failures_in_row, last_success_at }
}

/**
 * Returns true after 40 failures in a row, if the last success is more than 3 days ago or there was none
 * (decision 14).
 */
export const shouldTurnOff = ({ failures_in_row, last_success_at }: Health, now: number): boolean =>
  failures_in_row >= FAILURES_MAX && (last_success_at === null || last_success_at <= now - GRACE_MS)
