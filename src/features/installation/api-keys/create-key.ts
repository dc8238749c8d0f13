import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { type AuditedStores, insertStoresEvent } from '../../../audit/queries.ts'
import { inTransaction } from '../../../db/database.ts'
import { type KeyKind, newApiKey } from '../../../kernel/api-key.ts'
import { permissionsOf } from '../../../kernel/permissions.ts'
import { iso } from '../../../kernel/time.ts'
import { hashKey } from './keyring.ts'
import * as q from './queries.ts'

export interface NewKey {
  account_id: number
  livemode: boolean
  kind?: KeyKind
  name?: string
  /** All permissions of the API if omitted. */
  permissions?: readonly string[]
  /** All stores of the account on the key's side if omitted. */
  store_ids?: number[]
  allowed_ips?: string[]
  /** Calls a minute; 0 means no limit. */
  rate_limit?: number
  /** ISO 8601. */
  expires_at?: string
}

/** The response to the creation of a key. The text of the key is never shown again. */
interface CreatedKey {
  id: number
  key: string
  permissions: string[]
  expires_at: string | null
  allowed_ips: string[]
  rate_limit: number
}

/** Calls a minute. */
export const DEFAULT_RATE_LIMIT = 300

export async function createKey(app: App, fields: NewKey): Promise<CreatedKey> {
  const {
    account_id,
    livemode,
    kind = 'store',
    store_ids = null,
    rate_limit = DEFAULT_RATE_LIMIT,
    allowed_ips = [],
    expires_at = null,
    name = 'API key',
  } = fields
  const key = newApiKey(kind, livemode)
  const settings = {
    permissions: [...(fields.permissions ?? permissionsOf(kind))],
    expires_at,
    allowed_ips,
    rate_limit,
  }
  const now = iso(app.clock.now())
  const id = await inTransaction(app.db, async (tx) => {
    const keyId = await q.insertKey(tx, {
      ...settings,
      account_id,
      livemode,
      kind,
      store_ids,
      name,
      hash: hashKey(app, key),
      last4: key.slice(-4),
      created_at: now,
    })
    const changes = changesOf(null, { name, kind, all_stores: store_ids === null, ...settings })
    const event = { action: 'api_key.create', object: 'api_key', object_id: String(keyId), changes }
    await insertStoresEvent(tx, storesOf(fields), { origin: app.origin, now }, event)
    return keyId
  })
  return { id, key, ...settings }
}

/** Returns the stores for which a key is valid. Their audit trails record changes of the key. */
export const storesOf = ({
  account_id,
  livemode,
  store_ids,
}: Pick<NewKey, 'account_id' | 'livemode'> & { store_ids?: number[] | null }): AuditedStores =>
  store_ids ? { ids: store_ids } : { account_id, livemode }
