import { changesOf } from '../../../audit/changes.rules.ts'
import { inTransaction } from '../../../db/database.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { createWebhook } from '../create-webhook.ts'
import { startListening } from '../queries/listeners.ts'
import type { NewWebhook } from '../schema.ts'

/** The time without a poll after which the endpoint of a listener is removed. */
export const LISTENER_TIMEOUT_MS = 60 * SECOND_MS

/** Creates the endpoint of a listener, which gets every event that is recorded later (decision 72). */
export async function openListener(
  context: StoreContext,
  { forward, events }: Pick<NewWebhook, 'events'> & { forward: string },
): Promise<{ endpoint: string; secret: string }> {
  const description = 'A listener: tradepost webhooks listen.'
  const body: NewWebhook = { url: forward, events, description, enabled: true }
  return inTransaction(context.db, async (tx) => {
    const { webhook, secret } = await createWebhook({ ...context, db: tx }, body)
    await startListening(tx, context.store.id, { id: webhook.id, timeout_ms: LISTENER_TIMEOUT_MS })
    const { id } = webhook
    const changes = changesOf(null, { url: forward, events })
    await context.audit.record(tx, [
      { action: 'webhook.create', object: 'webhook_endpoint', object_id: id, changes },
    ])
    return { endpoint: id, secret }
  })
}
