import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { takeLines } from '../stock/index.ts'
import { changeOrder } from './change-order.ts'
import { COMPLETED, runEffects } from './effects.ts'
import { asCompleted } from './events.ts'
import * as q from './queries/deliveries.ts'
import type { ItemRow } from './queries/items.ts'
import { type LockedOrder, updateOrder } from './queries/orders.ts'
import type { FulfillmentStatus, StoredOrder } from './schema.ts'

/** Completes a paid order whose deliveries are all made; otherwise returns undefined. */
export async function completeIfDone(
  tx: Tx,
  context: StoreContext,
  { id, status }: Pick<LockedOrder, 'id' | 'status'>,
): Promise<StoredOrder | undefined> {
  if (status !== 'paid' || !(await q.isDelivered(tx, context.store.id, id))) return undefined
  return changeOrder(tx, context, id, {
    status: 'completed',
    steps: [{ status: 'completed', reason: null }],
    completed_at: context.now,
  })
}

/** The events of an order that has just become completed, those of other features among them. */
export const completed = async (
  tx: Tx,
  context: StoreContext,
  order: StoredOrder,
): Promise<NewEvent[]> => [
  asCompleted(order),
  ...(await runEffects(COMPLETED, tx, context, [order, undefined])),
]

/** Records how much of an order was shipped, and returns the events if that completes it. */
export async function markShipped(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
  fulfillment_status: FulfillmentStatus,
): Promise<NewEvent[]> {
  const { id, status } = order
  if (order.fulfillment_status === fulfillment_status) return []
  await updateOrder(tx, context.store.id, id, {
    status,
    steps: [],
    fulfillment_status,
    now: context.now,
  })
  const after = await completeIfDone(tx, context, order)
  return after ? completed(tx, context, after) : []
}

/** Takes stock for waiting lines that are about to be shipped (decision 105). */
export async function takeWaiting(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  items: readonly ItemRow[],
): Promise<NewEvent[]> {
  const waiting = items.filter((item) => !item.served)
  if (waiting.length === 0) return []
  const lines = waiting.map((item) => ({ ...item, held: item.reserved, serial: false }))
  const { events } = await takeLines(tx, context, orderId, lines)
  const served = waiting.map((item) => item.id)
  await q.recordDeliveries(tx, context.store.id, {
    now: context.now,
    deliveries: [],
    served,
  })
  return events
}
