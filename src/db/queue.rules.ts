/** Without progress, no caller gives up sooner because the database is slow (decision 132). */
export const WAIT_MIN_MS = 2_000
export const WAIT_MAX_MS = 10_000
/** A connection held for this many average times counts as hanging. */
const USUAL_TIMES = 20
/** A shorter queue is never refused, whatever the estimated wait. */
const LENGTH_MIN = 500
const LENGTH_MAX = 2_000
/** The weight of one observation in the average. */
const WEIGHT = 0.1
/** Caps an observation, so that one report of a minute does not distort the average. */
const HELD_MAX_MS = 1_000

/** The state of the connections when a caller arrives or waits. */
export interface Load {
  connections: number
  /** Callers that wait before this one. */
  ahead: number
  /** The average time for which a connection is held. */
  usual_ms: number
  /** The time since a connection last became free. */
  still_ms: number
}

export interface QueueLimits {
  min_ms: number
  max_ms: number
}

export const QUEUE_LIMITS: QueueLimits = { min_ms: WAIT_MIN_MS, max_ms: WAIT_MAX_MS }

/** The estimated wait of this caller at the present speed. */
export const expectedWait = ({ connections, ahead, usual_ms }: Load): number =>
  ((ahead + 1) / connections) * usual_ms

/** False if a caller would only wait in vain. */
export const mayJoin = (load: Load, { max_ms }: QueueLimits): boolean =>
  load.ahead < LENGTH_MIN || (load.ahead < LENGTH_MAX && expectedWait(load) <= max_ms)

/**
 * Why a waiting caller gives up, if it does. While connections become free it waits up to the
 * maximum. If none does, it gives up after the minimum, or later if the database is usually slow.
 */
export function whyGiveUp(
  waited_ms: number,
  load: Load,
  { min_ms, max_ms }: QueueLimits,
): 'slow' | 'stalled' | undefined {
  if (waited_ms >= max_ms) return 'slow'
  const stalled_ms = Math.min(max_ms, Math.max(min_ms, USUAL_TIMES * load.usual_ms))
  if (waited_ms >= min_ms && load.still_ms >= stalled_ms) return 'stalled'
  return undefined
}

/** The new average after a connection was held for `held_ms`. */
export const usualAfter = (usual_ms: number, held_ms: number): number =>
  usual_ms + (Math.min(held_ms, HELD_MAX_MS) - usual_ms) * WEIGHT
