import { inTransaction } from '../../db/database.ts'
import { requireRecord } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import { movePending } from './move-pending.ts'
import * as q from './queries/index.ts'

/** Deletes an endpoint. Cancels its pending deliveries and keeps its log. */
export async function deleteWebhook(context: StoreContext, id: string) {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const webhook = requireRecord(await q.lockWebhook(tx, store.id, id), 'Endpoint')
    await q.updateWebhook(tx, store.id, webhook.id, {
      deleted_at: now,
      enabled: false,
      updated_at: now,
    })
    await movePending(tx, { store_id: store.id, id: webhook.id, state: 'deleted' }, now)
    return { deleted: true as const, id }
  })
}
