import { inTransaction } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import { moveWaiting } from './move-waiting.ts'
import { lockWebhook, updateWebhook } from './queries/webhooks.ts'

/** Removes an endpoint. Its pending deliveries end as cancelled; its log stays. */
export async function deleteWebhook(
  context: StoreContext,
  id: string,
): Promise<{ deleted: true; id: string }> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const webhook = found(await lockWebhook(tx, store.id, id), 'Endpoint')
    await updateWebhook(tx, store.id, webhook.id, {
      deleted_at: now,
      enabled: false,
      updated_at: now,
    })
    await moveWaiting(tx, { store_id: store.id, id: webhook.id, state: 'deleted' }, now)
    return { deleted: true, id }
  })
}
