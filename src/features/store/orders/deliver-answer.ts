import { inTransaction } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { completeIfDelivered, completionEvents } from './complete-order.ts'
import { mailDelivery } from './order-mail.ts'
import * as q from './queries/index.ts'
import { textSealContext } from './sealed.ts'
import { readOrder } from './show-order.ts'

/**
 * Delivers the text that the seller's URL returned for a dynamic delivery, and completes the order if
 * everything is delivered. Returns false if the lease of the call is lost: the order has ended or was
 * delivered in another way, or another worker has claimed the call.
 */
export function deliverAnswer(
  context: StoreContext,
  call: q.LeasedCall,
  text: string,
): Promise<boolean> {
  const { store, now, vault } = context
  return inTransaction(context.db, async (tx) => {
    const order = await q.lockOrder(tx, store.id, call.order_id)
    if (!order || !(await q.lockCall(tx, call))) return false
    const { delivery_id: id } = call
    const { deliveries } = await readOrder(context, tx, call.order_id)
    const order_item_id = deliveries.find((item) => item.id === id)?.order_item_id
    if (order_item_id === undefined) return false
    const text_enc = vault.seal(textSealContext(store.id, id), text)
    await q.completeDelivery(tx, store.id, { id, order_item_id, key_ids: [], text_enc, now })
    const completedOrder = await completeIfDelivered(tx, context, order)
    if (completedOrder) {
      await context.emit(tx, await completionEvents(tx, context, completedOrder))
    }
    await mailDelivery(tx, context, completedOrder ?? (await readOrder(context, tx, order.id)), id)
    return true
  })
}

/** Records a failed call. Without `due_at` it was the last attempt, and the delivery has failed. */
export function recordFailedCall(
  context: StoreContext,
  call: q.LeasedCall,
  failure: { error: string; due_at: string | undefined },
): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    await q.lockOrder(tx, context.store.id, call.order_id)
    if (!(await q.lockCall(tx, call))) return false
    await q.recordFailure(tx, call, failure)
    return true
  })
}
