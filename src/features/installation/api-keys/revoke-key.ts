import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { inTransaction } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import { storesOf } from './create-key.ts'
import * as q from './queries.ts'

/** Revokes an API key. Returns the time of its first revocation, or undefined if the key does not exist. */
export function revokeKey(app: App, id: number): Promise<string | undefined> {
  const now = iso(app.clock.now())
  return inTransaction(app.db, async (tx) => {
    const key = await q.revokeKey(tx, id, now)
    if (key?.revoked_at === now) {
      const changes = changesOf(null, { revoked_at: now })
      const event = { action: 'api_key.revoke', object: 'api_key', object_id: String(id), changes }
      await insertStoresEvent(tx, storesOf(key), { origin: app.origin, now }, event)
    }
    return key?.revoked_at
  })
}
