import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { touchListener } from '../queries/listeners.ts'
import { LISTENER_TIMEOUT_MS } from './open-listener.ts'
import { type NextRequest, recordRelayed } from './poll-deliveries.ts'
import { removeListener } from './remove-listener.ts'

/** Records the last results of the listener, and removes its endpoint. */
export async function closeListener(
  context: StoreContext,
  { endpoint, relayed }: NextRequest,
): Promise<void> {
  const { db, store } = context
  const id = await touchListener(db, store.id, { id: endpoint, timeout_ms: LISTENER_TIMEOUT_MS })
  if (id === undefined) return
  await recordRelayed(context, id, relayed)
  await removeListener(context, endpoint)
}

/** Removes the endpoint of a listener that calls the API. */
export function closeRemotely(context: StoreContext, id: string) {
  return inTransaction(context.db, async (tx) => {
    const key = { id, timeout_ms: LISTENER_TIMEOUT_MS }
    requireRecord(await touchListener(tx, context.store.id, key), 'Listener')
    await removeListener({ ...context, db: tx }, id)
    return { deleted: true as const, id }
  })
}
