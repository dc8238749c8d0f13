import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { changeOrder } from './change-order.ts'
import { orderCompletedEvent } from './events.ts'
import { withDueUnits } from './lines.rules.ts'
import * as q from './queries/index.ts'
import type { StoredOrder } from './schema.ts'
import { fulfillmentStatusOf } from './status.rules.ts'

/** Completes a paid order if everything is delivered and shipped. Returns undefined if not. */
export async function completeIfDelivered(
  tx: Tx,
  context: StoreContext,
  { id, status }: Pick<q.LockedOrder, 'id' | 'status'>,
): Promise<StoredOrder | undefined> {
  if (status !== 'paid' || !(await q.isDelivered(tx, context.store.id, id))) return undefined
  return changeOrder(tx, context, id, {
    status: 'completed',
    historyEntries: [{ status: 'completed', reason: null }],
    completed_at: context.now,
  })
}

/** Returns the events of an order that was just completed, including those of other features. */
export const completionEvents = async (
  tx: Tx,
  context: StoreContext,
  order: StoredOrder,
): Promise<NewEvent[]> => [
  orderCompletedEvent(order),
  ...(await ORDER_LIFE.completed.affiliates.addCommission(tx, context, order)),
]

/** Updates the fulfillment status of an order from its parcels and due units. Returns false if it is unchanged. */
export async function updateFulfillmentStatus(
  tx: Tx,
  { store, now }: StoreContext,
  { id, fulfillment_status: before }: Pick<q.LockedOrder, 'id' | 'fulfillment_status'>,
): Promise<boolean> {
  const fulfillment_status = fulfillmentStatusOf(await q.selectShippedUnits(tx, store.id, id))
  if (fulfillment_status === before) return false
  await q.updateOrderRow(tx, store.id, id, { fulfillment_status, now })
  return true
}

/** Records that the parcels of an order have changed. Returns the events to emit if the order is now complete. */
export async function recordShipment(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
): Promise<NewEvent[]> {
  if (!(await updateFulfillmentStatus(tx, context, order))) return []
  const after = await completeIfDelivered(tx, context, order)
  return after ? completionEvents(tx, context, after) : []
}

/** Takes stock for the lines that have none yet, before they are shipped. */
export async function takeStockForWaitingLines(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  items: readonly q.ItemRow[],
): Promise<NewEvent[]> {
  const waitingItems = items.filter((item) => !item.served).map(withDueUnits)
  if (waitingItems.length === 0) return []
  const lines = waitingItems.map((item) => ({ ...item, needsKeys: false }))
  const { events } = await ORDER_LIFE.delivered.stock.takeLines(tx, context, orderId, lines)
  const served_item_ids = waitingItems.map((item) => item.id)
  await q.recordDeliveries(tx, context.store.id, {
    now: context.now,
    deliveries: [],
    served_item_ids,
  })
  return events
}
