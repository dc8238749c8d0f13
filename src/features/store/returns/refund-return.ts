import type { StoreContext } from '../../../store-context.ts'
import { refundOrder, selectItems } from '../orders/index.ts'
import { withReturn } from './change-return.ts'
import * as q from './queries.ts'
import { amountOf, checkStep } from './returns.rules.ts'
import type { Return, ReturnRefund } from './schema.ts'

/**
 * Refunds a received return by the rules of the order, in one transaction with the refund. Without an amount
 * it refunds what was paid for the units that arrived; an amount of 0 closes the return.
 */
export function refundReturn(
  context: StoreContext,
  id: number,
  { amount_cents }: ReturnRefund,
): Promise<Return> {
  const { store, now } = context
  return withReturn(context, id, async (tx, { order, before }) => {
    checkStep(before.status, 'refunded')
    const lines = await selectItems(tx, store.id, order.id)
    const returnedBefore = await q.selectReturnedBefore(tx, store.id, order.id)
    const cents = amount_cents ?? amountOf(lines, before.items, returnedBefore)
    const closed = { closed_at: now, now }
    if (cents === 0) return q.updateReturn(tx, store.id, id, { status: 'closed', ...closed })
    const { refund } = await refundOrder({ ...context, db: tx }, order.id, {
      amount_cents: cents,
      reason: 'requested_by_customer',
      note: null,
      restock: false,
      to_balance: false,
    })
    return q.updateReturn(tx, store.id, id, {
      status: 'refunded',
      refund_id: refund.id,
      refund_amount_cents: cents,
      ...closed,
    })
  })
}
