/** The shortest wait before a caller is refused because no connection becomes free (decision 132). */
const WAIT_MIN_MS = 2_000
const WAIT_MAX_MS = 10_000
/** The multiple of the average use after which connections count as stalled. */
const STALLED_FACTOR = 20
/** A shorter queue always admits a caller, independently of the estimated wait. */
const LENGTH_MIN = 500
const LENGTH_MAX = 2_000
/** The weight of one observation in the average. */
const WEIGHT = 0.1
/** The maximum of an observation, so that one slow report does not distort the average. */
const OBSERVATION_MAX_MS = 1_000

/** The state of the connections when a caller arrives or waits. */
export interface Load {
  connections: number
  /** The number of callers that wait before this one. */
  ahead: number
  /** The average time for which a caller uses a connection. */
  averageUse_ms: number
  /** The time since a connection was last released. */
  stalled_ms: number
}

export interface QueueLimits {
  min_ms: number
  max_ms: number
}

export const QUEUE_LIMITS: QueueLimits = { min_ms: WAIT_MIN_MS, max_ms: WAIT_MAX_MS }

/** Returns the estimated wait of this caller at the present speed. */
export const expectedWait = ({ connections, ahead, averageUse_ms }: Load): number =>
  ((ahead + 1) / connections) * averageUse_ms

/** Returns false if the caller would wait longer than the maximum. */
export const mayJoin = (load: Load, { max_ms }: QueueLimits): boolean =>
  load.ahead < LENGTH_MIN || (load.ahead < LENGTH_MAX && expectedWait(load) <= max_ms)

/**
 * Returns the reason to refuse a waiting caller, or undefined while it may wait. While connections become
 * free, it waits up to the maximum. Otherwise it waits for the minimum, or longer if uses are usually long.
 */
export function reasonToRefuse(
  waited_ms: number,
  load: Load,
  { min_ms, max_ms }: QueueLimits,
): 'slow' | 'stalled' | undefined {
  if (waited_ms >= max_ms) return 'slow'
  const limit_ms = Math.min(max_ms, Math.max(min_ms, STALLED_FACTOR * load.averageUse_ms))
  if (waited_ms >= min_ms && load.stalled_ms >= limit_ms) return 'stalled'
  return undefined
}

/** Returns the new average after a connection was used for `use_ms`. */
export const averageAfter = (average_ms: number, use_ms: number): number =>
  average_ms + (Math.min(use_ms, OBSERVATION_MAX_MS) - average_ms) * WEIGHT
