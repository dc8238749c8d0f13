/** The maximum number of renewals in one transaction. Buyers of the store wait for its order number counter. */
export const BATCH_MAX = 25
/** Smaller batches would cost more time than they save the buyers. */
const BATCH_MIN = 10

/** Below this duration the machine has spare time, and the next batch is larger. */
const FAST_MS = 150
/** Above this duration the next batch is smaller. A buyer may wait for two batches, and times out after seconds. */
const SLOW_MS = 400

/** Returns the size of the next batch, from the size and the duration of the last one (decision 273). */
export function nextBatchSize(size: number, duration_ms: number): number {
  if (duration_ms > SLOW_MS) return Math.max(BATCH_MIN, Math.floor(size / 2))
  if (duration_ms < FAST_MS) return Math.min(BATCH_MAX, size * 2)
  return size
}
