import type { App } from '../../../app.ts'
import { CommandError } from '../../../command.ts'
import { invalid, Refusal, requireRecord, unavailable } from '../../../kernel/errors.ts'
import { DAY_MS, parseDuration } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type StoreRow, selectStoreById } from '../stores/index.ts'
import { advanceClock } from './advance-clock.ts'

const AHEAD_MAX_MS = 3_650 * DAY_MS

/** Returns true if the clock would be more than ten years ahead. */
export const isTooFar = ({ clock_offset_ms }: StoreRow, by_ms: number): boolean =>
  clock_offset_ms + by_ms > AHEAD_MAX_MS

/** Moves the clock of the calling test side until the caller disconnects, and returns its new time (decision 144). */
export async function advanceByCall(
  app: App,
  { store: { id, livemode }, audit }: StoreContext,
  advance: string,
  signal: AbortSignal,
): Promise<string> {
  if (livemode) {
    const message =
      "The clock of a live store cannot be moved. Call this with a test key and the id of the store's test side."
    throw new Refusal('STORE_NOT_ALLOWED', message)
  }
  const side = requireRecord(await selectStoreById(app.db, id), 'Store')
  const by_ms = parseDuration(advance) ?? 0
  if (isTooFar(side, by_ms)) throw invalid('advance', 'A clock can be at most ten years ahead.')
  try {
    return await advanceClock({ ...app, origin: audit.origin }, side, by_ms, { signal })
  } catch (error) {
    // This answer is stored with an idempotency key. A repeated call would otherwise advance by the whole time again.
    if (error instanceof CommandError && signal.aborted)
      throw new Refusal('INVALID_STATE', `The caller disconnected. ${error.message}`)
    if (error instanceof CommandError) throw unavailable(error.message)
    throw error
  }
}
