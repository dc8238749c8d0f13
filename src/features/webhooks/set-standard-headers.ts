import { changesOf } from '../../audit/changes.rules.ts'
import { inTransaction } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import { updateStandardHeaders } from './queries/webhooks.ts'

/**
 * From the next attempt on an endpoint gets the headers of Standard Webhooks in addition to ours,
 * or not (decision 73).
 */
export async function setStandardHeaders(
  { db, store, audit }: StoreContext,
  id: string,
  standard_headers: boolean,
): Promise<{ id: string; standard_headers: boolean }> {
  return inTransaction(db, async (tx) => {
    found(await updateStandardHeaders(tx, store.id, id, standard_headers), 'Endpoint')
    const changes = changesOf({ standard_headers: !standard_headers }, { standard_headers })
    await audit.record(tx, [
      { action: 'webhook.update', object: 'webhook_endpoint', object_id: id, changes },
    ])
    audit.done()
    return { id, standard_headers }
  })
}
