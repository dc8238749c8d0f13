import { inTransaction } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import { moveWaiting } from './move-waiting.ts'
import * as q from './queries/webhooks.ts'
import type { Webhook, WebhookPatch } from './schema.ts'

/** Changes an endpoint. Turned off, its deliveries wait; turned on, they go out again. */
export async function updateWebhook(
  context: StoreContext,
  id: string,
  patch: WebhookPatch,
): Promise<Webhook> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockWebhook(tx, store.id, id), 'Endpoint')
    context.audit.changed(before, patch)
    const turned = patch.enabled !== undefined && patch.enabled !== before.enabled
    const state = turned ? stateAfter(patch.enabled === true, now) : {}
    await q.updateWebhook(tx, store.id, before.id, { ...patch, ...state, updated_at: now })
    if (turned) {
      const after = {
        store_id: store.id,
        id: before.id,
        state: patch.enabled ? 'on' : 'off',
      } as const
      await moveWaiting(tx, after, now)
    }
    return found(await q.selectWebhook(tx, store.id, id), 'Endpoint')
  })
}

const stateAfter = (on: boolean, now: string) =>
  on
    ? { failures_in_row: 0, disabled_at: null, disabled_reason: null }
    : { disabled_at: now, disabled_reason: 'manual' }
