import { changesOf } from '../../../audit/changes.rules.ts'
import { inTransaction } from '../../../db/database.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { insertEndpoint } from '../create-webhook.ts'
import { countListeners, startListening } from '../queries/listeners.ts'
import { lockStoreWebhooks } from '../queries/webhooks.ts'
import type { NewWebhook } from '../schema.ts'

/** The time without a poll after which the endpoint of a listener is removed. */
export const LISTENER_TIMEOUT_MS = 60 * SECOND_MS

/** With the 20 endpoints of a store, an event has fewer deliveries than positions. */
const LISTENERS_MAX = 8

/** Creates the endpoint of a listener, which gets every event that is recorded later. */
export async function openListener(
  context: StoreContext,
  { forward, events }: Pick<NewWebhook, 'events'> & { forward: string },
): Promise<{ endpoint: string; secret: string }> {
  const description = 'A listener: tradepost webhooks listen.'
  const body: NewWebhook = { url: forward, events, description, enabled: true }
  return inTransaction(context.db, async (tx) => {
    await lockStoreWebhooks(tx, context.store.id)
    if ((await countListeners(tx, context.store.id)) >= LISTENERS_MAX)
      throw new Refusal('VALIDATION_FAILED', TOO_MANY)
    const { webhook, secret } = await insertEndpoint(tx, context, body)
    await startListening(tx, context.store.id, { id: webhook.id, timeout_ms: LISTENER_TIMEOUT_MS })
    const { id } = webhook
    const changes = changesOf(null, { url: forward, events })
    await context.audit.record(tx, [
      { action: 'webhook.create', object: 'webhook_endpoint', object_id: id, changes },
    ])
    return { endpoint: id, secret }
  })
}

const TOO_MANY = `A store has at most ${LISTENERS_MAX} listeners. Stop one; a listener that was killed is removed within a minute.`
