import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { applyPayment, setStatusAndPaidAmount } from './add-manual-payment.ts'
import { partiallyPaidEvent } from './events.ts'
import type { Payment } from './payment-schema.ts'
import * as q from './queries/index.ts'
import type { Order, OrderStatus } from './schema.ts'
import { isUnpaid, owedCents } from './status.rules.ts'

/** The statuses of orders that ended. Money that arrives now is recorded and can be refunded (decision 455). */
const ENDED_STATUSES: readonly OrderStatus[] = ['expired', 'cancelled', 'refunded']

interface ArrivedPayment {
  payment: Payment
  /** The part of it that its provider has returned already. It is recorded after it. */
  returned_cents: number
}

/** Adds a payment that succeeded at its provider to its order, and delivers the order if it is now paid in full. */
export async function applyProviderPayment(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  { payment, returned_cents }: ArrivedPayment,
): Promise<Order> {
  if (ENDED_STATUSES.includes(order.status)) return recordLatePayment(tx, context, order, payment)
  // The rest of what arrived does not pay the order, so nothing is delivered for it.
  const rest_cents = payment.amount_cents - returned_cents
  if (isUnpaid(order.status) && returned_cents > 0 && rest_cents < owedCents(order))
    return recordPart(tx, context, order, payment)
  const after = await applyPayment(tx, context, order, payment)
  if (owedCents(after) > 0) await context.emit(tx, [partiallyPaidEvent(after)])
  return after
}

/** Records money that has gone back in part before it was noticed. Its approval may have ended the review of the order. */
async function recordPart(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  { kind, amount_cents }: Payment,
): Promise<Order> {
  const pendingReviews = await q.countPendingReviews(tx, context.store.id, order.id)
  const status = pendingReviews > 0 ? order.status : 'partially_paid'
  const paid_cents = order.paid_cents + amount_cents
  return setStatusAndPaidAmount(tx, context, order, { status, paid_cents, kind })
}

/** Why not `applyPayment`, which pays an expired order? Its stock is released, and the money came without its buyer. */
async function recordLatePayment(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  { kind, amount_cents: cents }: Payment,
): Promise<Order> {
  const { store, now } = context
  // Payments count as spent by the customer only when the order was paid in full.
  if (order.paid_at !== null)
    await ORDER_LIFE.moneyAdded.customers.addSpent(tx, store.id, order.customer_id, { cents, now })
  const paid_cents = order.paid_cents + cents
  return setStatusAndPaidAmount(tx, context, order, { status: order.status, paid_cents, kind })
}
