import type { StoreContext } from '../../../store-context.ts'
import { refundOrder, selectItems } from '../orders/index.ts'
import { lockAndChange } from './change-return.ts'
import * as q from './queries.ts'
import { planReturnRefund } from './refunded-lines.rules.ts'
import { checkNextStatus } from './returns.rules.ts'
import type { Return, ReturnRefund } from './schema.ts'

/**
 * Refunds a received return by the refund rules of its order. Without an amount, the price paid for the received
 * units is refunded, as far as it was not refunded before. An amount of 0 closes the return without a refund.
 */
export function refundReturn(
  context: StoreContext,
  id: number,
  { amount_cents }: ReturnRefund,
): Promise<Return> {
  const { store, now } = context
  return lockAndChange(context, id, async (tx, { order, before }) => {
    checkNextStatus(before.status, 'refunded')
    const { cents, lines } = planReturnRefund(
      await selectItems(tx, store.id, order.id),
      before.items,
      {
        earlierUnits: await q.selectEarlierUnits(tx, store.id, order.id),
        refundable_cents: order.paid_cents - order.refunded_cents,
        amount_cents,
      },
    )
    if (cents === 0)
      return q.updateReturn(tx, store.id, id, { status: 'closed', closed_at: now, now })
    const { refund } = await refundOrder({ ...context, db: tx }, order.id, {
      amount_cents: cents,
      reason: 'requested_by_customer',
      note: null,
      restock: false,
      to_balance: false,
      of_return: { id, lines },
    })
    return q.updateReturn(tx, store.id, id, {
      status: 'refunded',
      refund_id: refund.id,
      refund_amount_cents: cents,
      closed_at: now,
      now,
    })
  })
}
