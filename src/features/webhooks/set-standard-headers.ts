import { changesOf } from '../../audit/changes.rules.ts'
import { inTransaction } from '../../db/database.ts'
import { requireRecord } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import * as q from './queries/index.ts'

/** Turns the additional headers of Standard Webhooks on or off, from the next attempt on (decision 73). */
export async function setStandardHeaders(
  { db, store, audit }: StoreContext,
  id: string,
  standard_headers: boolean,
): Promise<{ id: string; standard_headers: boolean }> {
  return inTransaction(db, async (tx) => {
    const before = requireRecord(await q.lockWebhook(tx, store.id, id), 'Endpoint')
    await q.updateStandardHeaders(tx, store.id, before.id, standard_headers)
    const changes = changesOf({ ...before }, { standard_headers })
    if (Object.keys(changes).length > 0) {
      await audit.record(tx, [
        { action: 'webhook.update', object: 'webhook_endpoint', object_id: id, changes },
      ])
    }
    audit.skipEvent()
    return { id, standard_headers }
  })
}
