import { CommandError, type CommandOutput } from '../../command.ts'
import { Refusal } from '../../kernel/errors.ts'
import { iso } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'
import { resendDelivery } from './manual-attempts.ts'
import { countFailed, selectNextFailed } from './queries/failed-since.ts'

export interface Failed {
  since_ms: number
  samples: boolean
}

/**
 * Resends deliveries whose newest attempt failed since then, failed or still pending, one after the
 * other, so that a receiver that just recovered is not flooded. Deliveries that the schedule sent
 * meanwhile are left alone. `contextNow` returns a store context with the current time for each attempt.
 */
export async function resendFailed(
  contextNow: () => StoreContext,
  { since_ms, samples }: Failed,
  { emit, signal }: CommandOutput,
): Promise<{ resent: number; failed: number }> {
  const { db, store, now } = contextNow()
  const which = { since: iso(Date.parse(now) - since_ms), samples }
  const total = await countFailed(db, store.id, which)
  const counts = { resent: 0, failed: 0 }
  let after = 0
  for (;;) {
    const id = await selectNextFailed(db, store.id, { ...which, after })
    if (id === undefined) return counts
    const done = counts.resent + counts.failed
    if (signal.aborted) throw new CommandError(`Stopped after ${done} of ${total}; repeat it.`)
    const became = await attemptAgain(contextNow(), id)
    if (became) {
      counts[became]++
      emit({ done: done + 1, total: Math.max(total, done + 1), failed: counts.failed })
    }
    after = id
  }
}

/** Undefined if it is being sent already. */
async function attemptAgain(
  context: StoreContext,
  id: number,
): Promise<'resent' | 'failed' | undefined> {
  try {
    return (await resendDelivery(context, id)).result.ok ? 'resent' : 'failed'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code === 'DELIVERY_IN_PROGRESS' ? undefined : 'failed'
  }
}
