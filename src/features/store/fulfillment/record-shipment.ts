import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type LockedOrder, markShipped } from '../orders/index.ts'
import { shippedSoFar } from './parcels.rules.ts'
import { selectShipped } from './queries.ts'

/** Records in an order how many of its units were shipped, and returns the events to emit. */
export async function recordShipment(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
): Promise<NewEvent[]> {
  const { bought, shipped } = await selectShipped(tx, context.store.id, order.id)
  return markShipped(tx, context, order, shippedSoFar(bought, shipped))
}
