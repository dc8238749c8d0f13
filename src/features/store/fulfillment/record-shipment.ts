import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type LockedOrder, setFulfillmentStatus } from '../orders/index.ts'
import { fulfillmentStatusOf } from './parcels.rules.ts'
import * as q from './queries.ts'

/** Updates the fulfillment status of an order from its parcels, and returns the events to emit. */
export async function recordShipment(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
): Promise<NewEvent[]> {
  const { bought, shipped } = await q.selectShippedUnits(tx, context.store.id, order.id)
  return setFulfillmentStatus(tx, context, order, fulfillmentStatusOf(bought, shipped))
}
