import type { Outcome } from '../../../sender/outcome.rules.ts'

/** The maximum number of concurrent attempts for one endpoint. */
export const SLOTS_MAX = 10

const isOverloaded = ({ status_code, error_code }: Pick<Outcome, 'status_code' | 'error_code'>) =>
  error_code === 'timeout' || status_code === 429 || (status_code !== null && status_code >= 500)

/**
 * Returns the number of slots of an endpoint after an outcome: half if it is overloaded, a little more after
 * each success. It has at least one, so that it can recover.
 */
export function slotsAfter(
  slots: number,
  outcome: Pick<Outcome, 'ok' | 'status_code' | 'error_code'>,
): number {
  if (outcome.ok) return Math.min(SLOTS_MAX, slots + 1 / slots)
  return isOverloaded(outcome) ? Math.max(1, slots / 2) : slots
}

const RETRY_CLAIM_PAUSE_MIN_MS = 50
/** The maximum share of the time that is spent on claims of retries. */
const RETRY_CLAIM_SHARE = 0.05

/**
 * Returns the pause after a claim of retries that took `duration_ms` and found few. A claim reads every
 * endpoint with a retry, due or not, so with tens of thousands of endpoints it must run less often.
 */
export const retryClaimPause = (duration_ms: number): number =>
  Math.max(RETRY_CLAIM_PAUSE_MIN_MS, duration_ms / RETRY_CLAIM_SHARE)
