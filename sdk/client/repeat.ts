import type { TradepostError } from './errors.ts'

const BACKOFF_MS = 250
const BACKOFF_MAX_MS = 8_000
/** The window of the rate limit. Who is told to wait longer, such as until next month, is told so. */
const TOLD_MAX_S = 60

export interface Attempted {
  /** How often it was tried so far. */
  tries: number
  /** Whether a second run of the call would change nothing more. */
  isRepeatable: boolean
  /** A random number from 0 to 1, so that callers who failed together do not return together. */
  chance: number
}

/** How long to wait before a failed call is repeated; undefined where it is not (decision 98). */
export function waitBefore(
  error: TradepostError,
  { tries, isRepeatable, chance }: Attempted,
): number | undefined {
  const { retry_after_s = 0 } = error
  const mayRepeat = hadNoEffect(error) || (isRepeatable && isUnknown(error))
  if (!mayRepeat || retry_after_s > TOLD_MAX_S) return undefined
  const backoff_ms = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** (tries - 1))
  return retry_after_s * 1_000 + backoff_ms * (0.5 + chance / 2)
}

const hadNoEffect = ({ status, code }: TradepostError) =>
  status === 429 || code === 'IDEMPOTENCY_IN_PROGRESS'

/** No answer, or one that leaves open whether the call took effect before the shop was lost. */
const isUnknown = ({ status }: TradepostError) =>
  status === 0 || status === 502 || status === 503 || status === 504
