import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { addToTotalSpent } from '../customers/index.ts'
import { applyPayment, setStatusAndPaidAmount } from './add-manual-payment.ts'
import { partiallyPaidEvent } from './events.ts'
import type { Payment } from './payment-schema.ts'
import type { LockedOrder } from './queries/orders.ts'
import type { Order, OrderStatus } from './schema.ts'
import { owedCents } from './status.rules.ts'

/** The statuses of orders that ended. Money that arrives now is recorded and can be refunded (decision 156). */
const ENDED_STATUSES: readonly OrderStatus[] = ['expired', 'cancelled', 'refunded']

/** Adds a payment that succeeded at its provider to its order, and delivers the order if it is now paid in full. */
export async function applyProviderPayment(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
  payment: Payment,
): Promise<Order> {
  if (ENDED_STATUSES.includes(order.status)) return recordLatePayment(tx, context, order, payment)
  const after = await applyPayment(tx, context, order, payment)
  if (owedCents(after) > 0) await context.emit(tx, [partiallyPaidEvent(after)])
  return after
}

/** Why not `applyPayment`, which pays an expired order? Its stock is released, and the money came without its buyer. */
async function recordLatePayment(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
  { kind, amount_cents: cents }: Payment,
): Promise<Order> {
  const { store, now } = context
  // Payments count as spent by the customer only when the order was paid in full.
  if (order.paid_at !== null) await addToTotalSpent(tx, store.id, order.customer_id, { cents, now })
  const paid_cents = order.paid_cents + cents
  return setStatusAndPaidAmount(tx, context, order, { status: order.status, paid_cents, kind })
}
