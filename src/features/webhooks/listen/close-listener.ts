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
