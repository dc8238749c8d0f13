import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent, type Stores } from '../../../audit/queries.ts'
import { inTransaction } from '../../../db/database.ts'
import { type KeyKind, newApiKey } from '../../../kernel/api-key.ts'
import { permissionsOf } from '../../../kernel/permissions.ts'
import { iso } from '../../../kernel/time.ts'
import { hashKey } from './keyring.ts'
import { insertKey } from './queries.ts'

export interface NewKey {
  account_id: number
  livemode: boolean
  kind?: KeyKind
  name?: string
  /** Absent: the whole API. */
  permissions?: readonly string[]
  /** Absent: all stores of the account on the key's side. */
  store_ids?: number[]
  allowed_ips?: string[]
  /** Calls a minute; 0 means no limit. */
  rate_limit?: number
  /** ISO 8601. */
  expires_at?: string
}

/** The response to the creation of a key. The key itself is never shown again. */
export interface CreatedKey {
  id: number
  key: string
  permissions: string[]
  expires_at: string | null
  allowed_ips: string[]
  rate_limit: number
}

const RATE_LIMIT = 300

export async function createKey(app: App, fields: NewKey): Promise<CreatedKey> {
  const { account_id, livemode, kind = 'store', store_ids = null } = fields
  const { rate_limit = RATE_LIMIT, allowed_ips = [], expires_at = null, name = 'API key' } = fields
  const key = newApiKey(kind, livemode)
  const shown = {
    permissions: [...(fields.permissions ?? permissionsOf(kind))],
    expires_at,
    allowed_ips,
    rate_limit,
  }
  const now = iso(app.clock.now())
  const id = await inTransaction(app.db, async (tx) => {
    const made = await insertKey(tx, {
      ...shown,
      account_id,
      livemode,
      kind,
      store_ids,
      name,
      hash: hashKey(app, key),
      last4: key.slice(-4),
      created_at: now,
    })
    const changes = changesOf(null, { name, kind, store_ids, ...shown })
    const act = { action: 'api_key.create', object: 'api_key', object_id: String(made), changes }
    await insertStoresEvent(tx, openedBy(fields), { origin: app.origin, now }, act)
    return made
  })
  return { id, key, ...shown }
}

/** The stores that a key opens: their audit trails record its changes. */
export const openedBy = ({
  account_id,
  livemode,
  store_ids,
}: {
  account_id: number
  livemode: boolean
  store_ids?: number[] | null
}): Stores => (store_ids ? { ids: store_ids } : { account_id, livemode })
