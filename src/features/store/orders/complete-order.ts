import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { changeOrder } from './change-order.ts'
import { orderCompletedEvent } from './events.ts'
import * as q from './queries/index.ts'
import type { FulfillmentStatus, StoredOrder } from './schema.ts'

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

/** Sets the fulfillment status of an order. Returns the events to emit if the order is now complete. */
export async function setFulfillmentStatus(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  fulfillment_status: FulfillmentStatus,
): Promise<NewEvent[]> {
  if (order.fulfillment_status === fulfillment_status) return []
  await q.updateOrderRow(tx, context.store.id, order.id, {
    fulfillment_status,
    now: context.now,
  })
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
  const waitingItems = items.filter((item) => !item.served)
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
