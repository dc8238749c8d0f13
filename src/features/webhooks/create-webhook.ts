import { randomBytes } from 'node:crypto'
import { inTransaction, type Tx } from '../../db/database.ts'
import { invalid, requireRecord } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { SECRET_PREFIX } from '../../sender/signature.ts'
import type { StoreContext } from '../../store-context.ts'
import * as q from './queries/index.ts'
import { ENDPOINTS_MAX, type NewWebhook, type Webhook } from './schema.ts'
import { endpointSecretSealContext } from './sealed.ts'

/** Creates a webhook endpoint. Only this call returns its secret (decision 38). */
export async function createWebhook(
  context: StoreContext,
  body: NewWebhook,
): Promise<{ webhook: Webhook; secret: string }> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    await q.lockStoreWebhooks(tx, store.id)
    if ((await q.countWebhooks(tx, store.id)) >= ENDPOINTS_MAX) {
      throw invalid('url', `A store has at most ${ENDPOINTS_MAX} endpoints. Delete one first.`)
    }
    return insertEndpoint(tx, context, body)
  })
}

/** Inserts an endpoint with a new secret, without a check of the limit. */
export async function insertEndpoint(
  tx: Tx,
  { store, now, vault }: StoreContext,
  body: NewWebhook,
): Promise<{ webhook: Webhook; secret: string }> {
  const public_id = newId('we_', Date.parse(now))
  const secret = newSecret()
  await q.insertWebhook(tx, store.id, {
    ...body,
    public_id,
    secret_enc: vault.seal(endpointSecretSealContext(store.id, public_id), secret),
    disabled_at: body.enabled ? null : now,
    disabled_reason: body.enabled ? null : 'manual',
    created_at: now,
  })
  return {
    webhook: requireRecord(await q.selectWebhook(tx, store.id, public_id), 'Endpoint'),
    secret,
  }
}

const SECRET_BYTES = 24

/** The signature uses the whole text as its key, including `whsec_`. */
export const newSecret = () => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
