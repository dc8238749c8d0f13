import { inTransaction } from '../../db/database.ts'
import { requireRecord } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import { movePending } from './move-pending.ts'
import * as q from './queries/index.ts'
import type { Webhook, WebhookPatch } from './schema.ts'

/** Updates a webhook endpoint. Turning it off parks its pending deliveries; turning it on makes them due. */
export async function updateWebhook(
  context: StoreContext,
  id: string,
  patch: WebhookPatch,
): Promise<Webhook> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.lockWebhook(tx, store.id, id), 'Endpoint')
    context.audit.reportChange(before, patch)
    const isToggled = patch.enabled !== undefined && patch.enabled !== before.enabled
    const state = isToggled ? (patch.enabled ? STATE_ON : stateOff(now)) : {}
    await q.updateWebhook(tx, store.id, before.id, { ...patch, ...state, updated_at: now })
    if (isToggled) {
      const moving = {
        store_id: store.id,
        id: before.id,
        state: patch.enabled ? 'on' : 'off',
      } as const
      await movePending(tx, moving, now)
    }
    return requireRecord(await q.selectWebhook(tx, store.id, id), 'Endpoint')
  })
}

const STATE_ON = { failures_in_row: 0, disabled_at: null, disabled_reason: null }
const stateOff = (now: string) => ({ disabled_at: now, disabled_reason: 'manual' })
