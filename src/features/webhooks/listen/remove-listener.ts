import { inTransaction } from '../../../db/database.ts'
import type { Shop } from '../../../shop.ts'
import { deleteWebhook } from '../delete-webhook.ts'

/** Removes the webhook endpoint of a listener that has ended. */
export function removeListener(shop: Shop, endpoint: string): Promise<void> {
  return inTransaction(shop.db, async (tx) => {
    await deleteWebhook({ ...shop, db: tx }, endpoint)
    const object = { object: 'webhook_endpoint', object_id: endpoint }
    await shop.audit.record(tx, [{ action: 'webhook.delete', ...object, changes: {} }])
  })
}
