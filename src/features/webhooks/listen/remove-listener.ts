import { inTransaction } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { deleteWebhook } from '../delete-webhook.ts'

/** Removes the webhook endpoint of a listener that has ended. */
export function removeListener(context: StoreContext, endpoint: string): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    await deleteWebhook({ ...context, db: tx }, endpoint)
    const record = { object: 'webhook_endpoint', object_id: endpoint }
    await context.audit.record(tx, [{ action: 'webhook.delete', ...record, changes: {} }])
  })
}
