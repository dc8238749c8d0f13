import { inTransaction } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { completed, completeIfDone } from './complete-order.ts'
import { handOver } from './queries/deliveries.ts'
import { type LeasedCall, lockCall, recordFailure } from './queries/dynamic-calls.ts'
import { lockOrder } from './queries/orders.ts'
import { textSealContext } from './sealed.ts'
import { readOrder } from './show-order.ts'

/**
 * Hands over the text that a dynamic address answered, and completes the order if nothing else is missing.
 * Returns false if the call is not ours any more: the order ended, or was delivered otherwise.
 */
export function deliverCalled(
  context: StoreContext,
  call: LeasedCall,
  text: string,
): Promise<boolean> {
  const { store, now, vault } = context
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, store.id, call.order_id)
    if (!order || !(await lockCall(tx, call))) return false
    const { delivery_id: id } = call
    const { deliveries } = await readOrder(context, tx, call.order_id)
    const order_item_id = deliveries.find((item) => item.id === id)?.order_item_id
    if (order_item_id === undefined) return false
    const text_enc = vault.seal(textSealContext(store.id, id), text)
    await handOver(tx, store.id, { id, order_item_id, key_ids: [], text_enc, now })
    const done = await completeIfDone(tx, context, order)
    if (done) await context.emit(tx, await completed(tx, context, done))
    return true
  })
}

/** Records why a call failed. Without `due_at` it was the last attempt, and the seller decides. */
export function failCalled(
  context: StoreContext,
  call: LeasedCall,
  failure: { error: string; due_at: string | undefined },
): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    await lockOrder(tx, context.store.id, call.order_id)
    if (!(await lockCall(tx, call))) return false
    await recordFailure(tx, call, failure)
    return true
  })
}
