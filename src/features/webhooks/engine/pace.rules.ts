import type { Outcome } from '../../../sender/outcome.rules.ts'

/** Attempts at once for one endpoint, at most. */
export const PLACES_MAX = 10

const isOverloaded = ({ status_code, error_code }: Pick<Outcome, 'status_code' | 'error_code'>) =>
  error_code === 'timeout' || status_code === 429 || (status_code !== null && status_code >= 500)

/**
 * How many attempts at once an endpoint gets after an outcome: half as many where it says that it
 * cannot keep up, a little more with each success. At least one, so that it can recover.
 */
export function placesAfter(
  places: number,
  outcome: Pick<Outcome, 'ok' | 'status_code' | 'error_code'>,
): number {
  if (outcome.ok) return Math.min(PLACES_MAX, places + 1 / places)
  return isOverloaded(outcome) ? Math.max(1, places / 2) : places
}

const RETRIES_EVERY_MS = 50
/** Maximum share of time spent looking for retries while events come. */
const LOOKING_SHARE = 0.05

/**
 * How long to leave the retries alone after a look that took `took_ms` and found few. It walks all
 * endpoints with a retry, due or not, so a look at tens of thousands is made more seldom.
 */
export const untilNextLook = (took_ms: number): number =>
  Math.max(RETRIES_EVERY_MS, took_ms / LOOKING_SHARE)
