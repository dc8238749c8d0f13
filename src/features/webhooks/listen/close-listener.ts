import type { StoreContext } from '../../../store-context.ts'
import { touchListener } from '../queries/listeners.ts'
import { type Asked, recordRelayed } from './hand-over.ts'
import { SILENCE_MS } from './open-listener.ts'
import { removeListener } from './remove-listener.ts'

/** Records the last results of the listener, and removes its endpoint. */
export async function closeListener(
  context: StoreContext,
  { endpoint, relayed }: Asked,
): Promise<void> {
  const { db, store } = context
  const id = await touchListener(db, store.id, { id: endpoint, silence_ms: SILENCE_MS })
  if (id === undefined) return
  await recordRelayed(context, id, relayed)
  await removeListener(context, endpoint)
}
