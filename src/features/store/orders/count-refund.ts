import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { cancelRefundedUnits, completeAfterCancellation } from './cancel-units.ts'
import { changeOrder } from './change-order.ts'
import { orderRefundedEvent } from './events.ts'
import { endHold } from './hold-order.ts'
import { mailRefund } from './order-mail.ts'
import type { Refund } from './payment-schema.ts'
import * as q from './queries/index.ts'
import type { Order } from './schema.ts'
import { afterRefund } from './status.rules.ts'

/** Money of an order that went back. */
type RefundToCount = Pick<
  q.NewRefundRow,
  'id' | 'amount_cents' | 'reason' | 'note' | 'restock' | 'source' | 'actor' | 'items'
> & {
  /** The payment whose provider returned it. */
  payment_id: number | null
  external_id: string | null
  /** The return that it is for. */
  return_id: number | null
  /** The part that goes to the balance of the customer. */
  balance_cents: number
}

/**
 * Records money that went back. If all that was paid is refunded then, the order ends and its deliveries are revoked
 * (decision 46). An order that ended before keeps its status (decision 123).
 */
export async function countRefund(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  { return_id, balance_cents, ...fields }: RefundToCount,
): Promise<{ refund: Refund; order: Order }> {
  const { store, now } = context
  const { id, customer_id, currency } = order
  const { amount_cents: cents, reason } = fields
  const { endsOrder, ...amounts } = afterRefund(order, cents)
  const cancelsUnits = !endsOrder && return_id === null
  const restock = fields.restock && (endsOrder || cancelsUnits)
  // Payments count as spent by the customer only when the order is paid in full.
  const of_sale = order.paid_at !== null
  if (of_sale)
    await ORDER_LIFE.moneyReturned.customers.addSpent(tx, store.id, customer_id, {
      cents: -cents,
      now,
    })
  if (balance_cents > 0) await credit(tx, context, order, balance_cents)
  const row = { ...fields, return_id, restock, of_sale, order_id: id, currency, created_at: now }
  const refund = await q.insertRefund(tx, store.id, row)
  if (fields.payment_id !== null) await q.addRefunded(tx, store.id, fields.payment_id, cents)
  const cancelEvents = cancelsUnits
    ? await cancelRefundedUnits(tx, context, order, refund)
    : undefined
  const events = endsOrder ? await revokeOrder(tx, context, id, restock) : (cancelEvents ?? [])
  const after = await changeOrder(tx, context, id, {
    ...amounts,
    ...(endsOrder && {
      status: 'refunded',
      historyEntries: [{ status: 'refunded', reason }],
      hold: null,
    }),
  })
  if (endsOrder) {
    await ORDER_LIFE.refunded.subscriptions.cancel(tx, context, after)
    await endHold(tx, context, order)
  }
  await ORDER_LIFE.moneyReturned.affiliates.reverse(tx, context, after)
  const refundedEvent = orderRefundedEvent(after, refund, return_id)
  const ended = cancelEvents ? await completeAfterCancellation(tx, context, after, events) : after
  await context.emit(tx, [refundedEvent, ...events])
  await mailRefund(tx, context, after, refund)
  return { refund, order: ended }
}

async function credit(
  tx: Tx,
  context: StoreContext,
  { id, customer_id }: q.LockedOrder,
  cents: number,
): Promise<void> {
  if (
    await ORDER_LIFE.moneyReturned.customers.credit(tx, context, customer_id, {
      orderId: id,
      cents,
    })
  )
    return
  throw invalid(
    'to_balance',
    `The balance cannot exceed ${Number.MAX_SAFE_INTEGER}. Refund to the payment method.`,
  )
}

/**
 * Revokes the deliveries and license keys of an order, releases its reserved stock, and rejects its
 * payments that wait for a review.
 */
async function revokeOrder(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  restock: boolean,
): Promise<NewEvent[]> {
  const items = await q.selectItems(tx, context.store.id, orderId)
  // Units that a return has restocked are in stock already.
  const lines = items.map((item) => ({ ...item, quantity: item.quantity - item.restocked }))
  const events = await ORDER_LIFE.refunded.stock.return(tx, context, orderId, { lines, restock })
  const restockedLines = lines.filter((line) => line.served && line.quantity > 0)
  if (restock && restockedLines.length > 0)
    await q.addRestocked(tx, context.store.id, restockedLines)
  await q.clearReserved(
    tx,
    context.store.id,
    items.map((item) => item.id),
  )
  await q.revokeDeliveries(tx, context.store.id, orderId)
  await ORDER_LIFE.refunded.licensing.suspend(tx, context, orderId)
  const { actor } = context.audit.origin
  await q.rejectPendingReviews(tx, context.store.id, orderId, { now: context.now, actor })
  return events
}
