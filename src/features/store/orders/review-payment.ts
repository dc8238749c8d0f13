import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { applyPayment, type PaymentAndOrder, setStatusAndPaidAmount } from './add-manual-payment.ts'
import { moneyOf } from './change-order.ts'
import type { Payment, PaymentReview } from './payment-schema.ts'
import * as q from './queries/orders.ts'
import * as payments from './queries/payments.ts'
import { readOrder } from './show-order.ts'
import { checkPaymentReviewable, statusAfter } from './status.rules.ts'

interface PaymentPath {
  orderId: string
  id: number
}

/** Approves a payment after its review. An order that is now paid in full is delivered. */
export function approvePayment(
  context: StoreContext,
  path: PaymentPath,
  review: PaymentReview,
): Promise<PaymentAndOrder> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockForReview(tx, context, path)
    const payment = await recordReview(tx, context, path, { ...review, status: 'approved' })
    const after = await applyPayment(tx, context, order, payment)
    context.audit.reportChange(order, moneyOf(after))
    return { payment, order: after }
  })
}

/**
 * Rejects a payment after its review. An order that waited only for this review is unpaid again, and
 * gets a new expiry.
 */
export function rejectPayment(
  context: StoreContext,
  path: PaymentPath,
  review: PaymentReview,
): Promise<PaymentAndOrder> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockForReview(tx, context, path)
    const payment = await recordReview(tx, context, path, { ...review, status: 'rejected' })
    const pendingReviews = await payments.countPendingReviews(tx, context.store.id, path.orderId)
    const after =
      order.status === 'manual_review'
        ? await setStatusAndPaidAmount(tx, context, order, {
            status: statusAfter(order, pendingReviews),
            paid_cents: order.paid_cents,
          })
        : await readOrder(context, tx, path.orderId)
    context.audit.reportChange(order, moneyOf(after))
    return { payment, order: after }
  })
}

/** Records the result of a review. Without a note the stored note is kept. */
function recordReview(
  tx: Tx,
  { store, now, audit }: StoreContext,
  { id }: PaymentPath,
  { status, note }: PaymentReview & { status: 'approved' | 'rejected' },
): Promise<Payment> {
  const reviewed_by = audit.origin.actor
  const review = { status, reviewed_at: now, reviewed_by, ...(note !== undefined && { note }) }
  return payments.reviewPayment(tx, store.id, id, review)
}

async function lockForReview(
  tx: Tx,
  { store }: StoreContext,
  { orderId, id }: PaymentPath,
): Promise<q.LockedOrder> {
  const order = requireRecord(await q.lockOrder(tx, store.id, orderId), 'Order')
  const payment = requireRecord(await payments.selectPayment(tx, store.id, orderId, id), 'Payment')
  checkPaymentReviewable(payment.status, order.status)
  return order
}
