import type { StoreContext } from '../../../store-context.ts'
import { refundOrder, selectPendingCents } from '../orders/index.ts'
import { lockAndChange } from './change-return.ts'
import * as q from './queries.ts'
import { planReturnRefund } from './refunded-lines.rules.ts'
import { checkNextStatus } from './returns.rules.ts'
import type { Return, ReturnRefund } from './schema.ts'

/** A return after its refund. */
interface RefundedReturn {
  return: Return
  /** True if a provider has to be asked for the money. */
  asks_provider: boolean
}

/**
 * Refunds a received return by the refund rules of its order. Without an amount, the price paid for the received
 * units is refunded, as far as it was not refunded before. An amount of 0 closes the return without a refund.
 */
export async function refundReturn(
  context: StoreContext,
  id: number,
  { amount_cents }: ReturnRefund,
): Promise<RefundedReturn> {
  const { store, now } = context
  let asks_provider = false
  const after = await lockAndChange(context, id, async (tx, { order, before }) => {
    checkNextStatus(before.status, 'refunded')
    const { cents, lines } = planReturnRefund(
      await q.selectReturnableLines(tx, store.id, order.id),
      before.items,
      {
        earlierUnits: await q.selectEarlierUnits(tx, store.id, order.id),
        refundable_cents:
          order.paid_cents -
          order.refunded_cents -
          (await selectPendingCents(tx, store.id, order.id)),
        amount_cents,
      },
    )
    if (cents === 0)
      return q.updateReturn(tx, store.id, id, { status: 'closed', closed_at: now, now })
    const { refunds } = await refundOrder({ ...context, db: tx }, order.id, {
      amount_cents: cents,
      reason: 'requested_by_customer',
      note: null,
      restock: false,
      to_balance: false,
      of_return: { id, lines },
    })
    asks_provider = refunds.some(({ status }) => status === 'pending')
    return q.updateReturn(tx, store.id, id, {
      status: 'refunded',
      refund_id: refunds[0]?.id ?? null,
      refund_amount_cents: cents,
      closed_at: now,
      now,
    })
  })
  return { return: after, asks_provider }
}
