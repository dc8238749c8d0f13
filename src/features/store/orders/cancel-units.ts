import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { type CancelledUnits, planCancellation } from './cancelled-units.rules.ts'
import { completeIfDelivered, completionEvents, updateFulfillmentStatus } from './complete-order.ts'
import type { Refund } from './payment-schema.ts'
import * as q from './queries/index.ts'
import type { OrderStatus, StoredOrder } from './schema.ts'

/** The statuses of orders of which something may not be delivered yet. */
const DELIVERABLE_STATUSES: readonly OrderStatus[] = ['paid', 'completed']

/**
 * Cancels the units of refunded lines that are not delivered yet (decision 185): they no longer need stock, keys or
 * parcels. Returns the events to emit; undefined if all refunded units were delivered. The refund is recorded.
 */
export async function cancelRefundedUnits(
  tx: Tx,
  context: StoreContext,
  order: Pick<q.LockedOrder, 'id' | 'status' | 'fulfillment_status'>,
  { items, restock }: Pick<Refund, 'items' | 'restock'>,
): Promise<NewEvent[] | undefined> {
  if (items.length === 0 || !DELIVERABLE_STATUSES.includes(order.status)) return undefined
  const { store } = context
  const itemIds = items.map((item) => item.order_item_id)
  const refundedItems = await q.selectRefundedItems(tx, store.id, order.id, itemIds)
  const cancelled = planCancellation(refundedItems, { restock })
  if (cancelled.length === 0) return undefined
  const events = await returnToStock(tx, context, cancelled)
  await q.cancelUnits(tx, store.id, order.id, cancelled)
  const cancelledIds = cancelled.map((line) => line.id)
  if (
    refundedItems.some(
      (item) => item.delivery_type === 'physical' && cancelledIds.includes(item.id),
    )
  )
    await updateFulfillmentStatus(tx, context, order)
  return events
}

/** Releases the units that were not taken from stock, and adds those that come back to it. */
async function returnToStock(
  tx: Tx,
  context: StoreContext,
  cancelled: readonly CancelledUnits[],
): Promise<NewEvent[]> {
  const returned = cancelled
    .filter((line) => !line.served || line.restocked > 0)
    .map((line) => ({ ...line, quantity: line.restocked }))
  return returned.length === 0 ? [] : ORDER_LIFE.unitsCancelled.stock.return(tx, context, returned)
}

/** Completes an order whose last undelivered units were cancelled, unless it is on hold. Adds its events to `events`. */
export async function completeAfterCancellation(
  tx: Tx,
  context: StoreContext,
  order: StoredOrder,
  events: NewEvent[],
): Promise<StoredOrder> {
  const completed = order.hold === null && (await completeIfDelivered(tx, context, order))
  if (!completed) return order
  events.push(...(await completionEvents(tx, context, completed)))
  return completed
}
