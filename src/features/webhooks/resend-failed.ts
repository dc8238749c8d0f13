import { CommandError, type CommandOutput } from '../../command.ts'
import { Refusal, requireRecord } from '../../kernel/errors.ts'
import { iso } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'
import { resendDelivery } from './manual-attempts.ts'
import * as q from './queries/index.ts'

interface FailedOptions {
  since_ms: number
  samples: boolean
  /** The endpoint; all endpoints if undefined. */
  webhookId: string | undefined
}

interface ResendCounts {
  resent: number
  failed: number
}

/** Resends one delivery, whatever its state. */
export async function resendOne(context: StoreContext, id: number): Promise<ResendCounts> {
  const { ok } = (await resendDelivery(context, id)).result
  return { resent: ok ? 1 : 0, failed: ok ? 0 : 1 }
}

/**
 * Resends deliveries whose newest attempt failed in the past `since_ms`, pending ones too. Sends them one after
 * the other, so that a receiver that has just recovered is not flooded. Skips deliveries that the schedule has
 * sent meanwhile. `contextNow` returns a store context with the current time.
 */
export async function resendFailed(
  contextNow: () => StoreContext,
  { since_ms, ...selection }: FailedOptions,
  { emit, signal }: CommandOutput,
): Promise<ResendCounts> {
  const { db, store, now } = contextNow()
  const { webhookId } = selection
  if (webhookId !== undefined)
    requireRecord(await q.selectWebhook(db, store.id, webhookId), 'Endpoint', webhookId)
  const filter = { since: iso(Date.parse(now) - since_ms), ...selection }
  const total = await q.countFailed(db, store.id, filter)
  const counts = { resent: 0, failed: 0 }
  let after = 0
  for (;;) {
    const id = await q.selectNextFailed(db, store.id, { ...filter, after })
    if (id === undefined) return counts
    const attemptCount = counts.resent + counts.failed
    if (signal.aborted)
      throw new CommandError(
        `Stopped after ${attemptCount} of ${total} deliveries. Repeat the command.`,
      )
    const result = await resendUnlessRunning(contextNow(), id)
    if (result) {
      counts[result]++
      emit({
        done: attemptCount + 1,
        total: Math.max(total, attemptCount + 1),
        failed: counts.failed,
      })
    }
    after = id
  }
}

/** Returns undefined if an attempt of the delivery is running. */
async function resendUnlessRunning(
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
