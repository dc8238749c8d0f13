import { inTransaction } from '../../../db/database.ts'
import { requireRecord, unavailable } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  cancelOrder,
  checkCancellable,
  lockOrder,
  type Order,
  selectOpenPayments,
} from '../orders/index.ts'

/** Cancels an order. A payment that was started after `endedPayments` were ended must be ended first. */
export function cancelEndedOrder(
  context: StoreContext,
  orderId: string,
  { reason, endedPayments }: { reason: string | null; endedPayments: readonly number[] },
): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await lockOrder(tx, context.store.id, orderId), 'Order')
    checkCancellable(order.status)
    const openPayments = await selectOpenPayments(tx, context.store.id, orderId)
    if (openPayments.some(({ id }) => !endedPayments.includes(id)))
      throw unavailable('A payment of this order was started meanwhile. Repeat the call.')
    return cancelOrder({ ...context, db: tx }, orderId, reason)
  })
}
