import type { TradepostError } from './errors.ts'

const BACKOFF_MS = 250
const BACKOFF_MAX_MS = 8_000
/** The longest Retry-After for which a call waits: the window of the rate limit. */
const RETRY_AFTER_MAX_S = 60

export interface RepeatState {
  /** The number of attempts so far. */
  attempts: number
  /** True if repeating the call has no further effect. */
  isRepeatable: boolean
  /** A random number from 0 to 1. It spreads the repeats of clients that failed at the same time. */
  randomFraction: number
}

/** Returns the delay before a repeat in milliseconds; undefined if the call is not repeated. */
export function retryDelay(
  error: TradepostError,
  { attempts, isRepeatable, randomFraction }: RepeatState,
): number | undefined {
  const { retryAfter_s = 0 } = error
  const mayRepeat = hadNoEffect(error) || (isRepeatable && hasUnknownEffect(error))
  if (!mayRepeat || retryAfter_s > RETRY_AFTER_MAX_S) return undefined
  const backoff_ms = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (attempts - 1))
  return retryAfter_s * 1_000 + backoff_ms * (0.5 + randomFraction / 2)
}

const hadNoEffect = ({ status, code }: TradepostError) =>
  status === 429 || code === 'IDEMPOTENCY_IN_PROGRESS'

/** True if it is unknown whether the call took effect, because there was no answer or one from a gateway. */
const hasUnknownEffect = ({ status }: TradepostError) =>
  status === 0 || status === 502 || status === 503 || status === 504
