import { inTransaction } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import { HOUR_MS, iso } from '../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../store-context.ts'
import { newSecret } from './create-webhook.ts'
import * as q from './queries/roll-secret.ts'
import { selectWebhook } from './queries/webhooks.ts'
import type { RollSecret, Webhook } from './schema.ts'
import { endpointSecretSealContext } from './sealed.ts'

/** How long both secrets sign, in machine time, as signatures do (decisions 19 and 41). */
const OVERLAP_MS = 24 * HOUR_MS

/**
 * Replaces the secret of an endpoint. Each attempt is signed separately, so retries use the new one
 * too.
 */
export function rollSecret(
  context: StoreContext,
  id: string,
  { mode }: RollSecret,
): Promise<{ webhook: Webhook; secret: string; old_secret_until: string | null }> {
  const { db, store, vault, now } = context
  return inTransaction(db, async (tx) => {
    const secret = newSecret()
    const until = mode === 'overlap' ? iso(machineNow(context) + OVERLAP_MS) : null
    const rolled = await q.replaceSecret(tx, store.id, id, {
      secret_enc: vault.seal(endpointSecretSealContext(store.id, id), secret),
      until,
      now,
    })
    if (!rolled) found(undefined, 'Endpoint')
    const webhook = found(await selectWebhook(tx, store.id, id), 'Endpoint')
    return { webhook, secret, old_secret_until: until }
  })
}
