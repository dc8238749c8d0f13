import type { TradepostError } from './errors.ts'

const BACKOFF_MS = 250
const BACKOFF_MAX_MS = 8_000
/** The window of the rate limit. A longer Retry-After, such as a monthly one, is left to the caller. */
const TOLD_MAX_S = 60

export interface Attempted {
  /** The number of attempts so far. */
  tries: number
  /** True if repeating the call has no further effect. */
  isRepeatable: boolean
  /** A random number from 0 to 1, so that clients that failed together do not repeat together. */
  chance: number
}

/** The wait before a repeat, in milliseconds; undefined if the call is not repeated (decision 98). */
export function waitBefore(
  error: TradepostError,
  { tries, isRepeatable, chance }: Attempted,
): number | undefined {
  const { retryAfter_s = 0 } = error
  const mayRepeat = hadNoEffect(error) || (isRepeatable && isUnknown(error))
  if (!mayRepeat || retryAfter_s > TOLD_MAX_S) return undefined
  const backoff_ms = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (tries - 1))
  return retryAfter_s * 1_000 + backoff_ms * (0.5 + chance / 2)
}

const hadNoEffect = ({ status, code }: TradepostError) =>
  status === 429 || code === 'IDEMPOTENCY_IN_PROGRESS'

/** True if it is unknown whether the call took effect: no answer, or one of a gateway. */
const isUnknown = ({ status }: TradepostError) =>
  status === 0 || status === 502 || status === 503 || status === 504
