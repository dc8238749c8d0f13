/** No caller is refused sooner because the database is slow, and none waits longer (decision 132). */
export const WAIT_MIN_MS = 2_000
export const WAIT_MAX_MS = 10_000
/** A connection that is held for this many usual times is taken to hang. */
const USUAL_TIMES = 20
/** Up to here a queue is never refused for its length, whatever the estimate says. */
const LENGTH_MIN = 500
const LENGTH_MAX = 2_000
/** How much one observation moves the average. */
const WEIGHT = 0.1
/** One report of a minute must not hide what all other calls take. */
const HELD_MAX_MS = 1_000

/** What is known about the connections when a caller is judged. */
export interface Load {
  connections: number
  /** Callers that wait before this one. */
  ahead: number
  /** How long a connection is usually held. */
  usual_ms: number
  /** How long no connection has become free. */
  still_ms: number
}

export interface QueueLimits {
  min_ms: number
  max_ms: number
}

export const QUEUE_LIMITS: QueueLimits = { min_ms: WAIT_MIN_MS, max_ms: WAIT_MAX_MS }

/** How long this caller has to wait at the present speed. */
export const expectedWait = ({ connections, ahead, usual_ms }: Load): number =>
  ((ahead + 1) / connections) * usual_ms

/** Whether a caller may join, or would only wait in vain. */
export const mayJoin = (load: Load, { max_ms }: QueueLimits): boolean =>
  load.ahead < LENGTH_MIN || (load.ahead < LENGTH_MAX && expectedWait(load) <= max_ms)

/**
 * Why a caller that has waited gives up, if it does. While connections become free it waits up to the
 * maximum. If none does, the minimum is enough; the slower the database usually is, the later that is said.
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

/** The average after one more connection was held for so long. */
export const usualAfter = (usual_ms: number, held_ms: number): number =>
  usual_ms + (Math.min(held_ms, HELD_MAX_MS) - usual_ms) * WEIGHT
