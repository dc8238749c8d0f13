import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type LockedOrder, markShipped } from '../orders/index.ts'
import { shippedSoFar } from './parcels.rules.ts'
import { selectShipped } from './queries.ts'

/** Writes into an order how much of it is on its way, and gives what is to be told of that. */
export async function recordShipment(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
): Promise<NewEvent[]> {
  const { bought, shipped } = await selectShipped(tx, context.store.id, order.id)
  return markShipped(tx, context, order, shippedSoFar(bought, shipped))
}
