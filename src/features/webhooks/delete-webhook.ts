import { inTransaction } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { moveWaiting } from './move-waiting.ts'
import { lockWebhook, updateWebhook } from './queries/webhooks.ts'

/** Removes an endpoint. What waits for it ends as cancelled; its log stays. */
export async function deleteWebhook(
  shop: Shop,
  id: string,
): Promise<{ deleted: true; id: string }> {
  const { store, now } = shop
  return inTransaction(shop.db, async (tx) => {
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
