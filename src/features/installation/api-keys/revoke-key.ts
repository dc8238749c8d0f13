import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { inTransaction } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import { openedBy } from './create-key.ts'
import * as q from './queries.ts'

/** Ends an API key and returns when; undefined if it does not exist. A key stays ended. */
export function revokeKey(app: App, id: number): Promise<string | undefined> {
  const now = iso(app.clock.now())
  return inTransaction(app.db, async (tx) => {
    const key = await q.revokeKey(tx, id, now)
    if (key?.revoked_at === now) {
      const changes = changesOf(null, { revoked_at: now })
      const act = { action: 'api_key.revoke', object: 'api_key', object_id: String(id), changes }
      await insertStoresEvent(tx, openedBy(key), { origin: app.origin, now }, act)
    }
    return key?.revoked_at
  })
}
