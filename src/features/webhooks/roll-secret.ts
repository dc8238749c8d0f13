import { inTransaction } from '../../db/database.ts'
import { notFound, requireRecord } from '../../kernel/errors.ts'
import { addSeconds, HOUR_MS, iso, SECOND_MS } from '../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../store-context.ts'
import { newSecret } from './create-webhook.ts'
import * as q from './queries/index.ts'
import type { RollSecret, Webhook } from './schema.ts'
import { endpointSecretSealContext } from './sealed.ts'

/**
 * The time for which both secrets sign (decision 19). Its end is stored as machine time, because attempts are signed
 * with machine time, and moves when the store's clock is advanced (decision 41).
 */
const OVERLAP_MS = 24 * HOUR_MS

/**
 * Replaces the signing secret of a webhook endpoint. Each attempt is signed when it is sent, so retries use the new secret too.
 */
export function rollSecret(
  context: StoreContext,
  id: string,
  { mode }: RollSecret,
): Promise<{ webhook: Webhook; secret: string; old_secret_until: string | null }> {
  const { db, store, vault, now } = context
  return inTransaction(db, async (tx) => {
    const secret = newSecret()
    const now_ms = machineNow(context)
    const until = mode === 'overlap' ? iso(now_ms + OVERLAP_MS) : null
    const isReplaced = await q.replaceSecret(tx, store.id, id, {
      secret_enc: vault.seal(endpointSecretSealContext(store.id, id), secret),
      until,
      from: iso(now_ms),
      now,
    })
    if (!isReplaced) throw notFound('Endpoint')
    const webhook = requireRecord(await q.selectWebhook(tx, store.id, id), 'Endpoint')
    return { webhook, secret, old_secret_until: until && addSeconds(now, OVERLAP_MS / SECOND_MS) }
  })
}
