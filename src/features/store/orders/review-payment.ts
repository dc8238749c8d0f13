import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalidState, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { applyPayment, type PaymentAndOrder, setStatusAndPaidAmount } from './add-manual-payment.ts'
import { applyProviderPayment } from './apply-provider-payment.ts'
import { moneyOf } from './change-order.ts'
import type { Payment, PaymentReview } from './payment-schema.ts'
import * as q from './queries/orders.ts'
import * as payments from './queries/payments.ts'
import type { Order } from './schema.ts'
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
    const { order, payment: before } = await lockForReview(tx, context, path)
    if (before.review_reason === 'currency_mismatch') throw otherCurrency()
    const isManual = before.provider === null
    const status = isManual ? 'approved' : 'succeeded'
    const payment = await recordReview(tx, context, path, { ...review, status })
    const after = isManual
      ? await applyPayment(tx, context, order, payment)
      : await countArrived(tx, context, order, payment)
    context.audit.reportChange(order, moneyOf(after))
    return { payment, order: after }
  })
}

const otherCurrency = () =>
  invalidState(
    'pending_review',
    'Money of another currency arrived, so its amount cannot be counted. Reject the payment, and the money goes back.',
  )

/** Counts money that arrived through a provider. It is asked once more, because some may have gone back during the review. */
async function countArrived(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  payment: Payment,
): Promise<Order> {
  await payments.requestCheck(tx, context.store.id, payment.id, context.now)
  return applyProviderPayment(tx, context, order, { payment, returned_cents: 0 })
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
    const { order } = await lockForReview(tx, context, path)
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
  { status, note }: PaymentReview & { status: 'approved' | 'succeeded' | 'rejected' },
): Promise<Payment> {
  const reviewed_by = audit.origin.actor
  const review = { status, reviewed_at: now, reviewed_by, ...(note !== undefined && { note }) }
  return payments.reviewPayment(tx, store.id, id, review)
}

async function lockForReview(
  tx: Tx,
  { store }: StoreContext,
  { orderId, id }: PaymentPath,
): Promise<{ order: q.LockedOrder; payment: Payment }> {
  const order = requireRecord(await q.lockOrder(tx, store.id, orderId), 'Order')
  const payment = requireRecord(await payments.selectPayment(tx, store.id, orderId, id), 'Payment')
  checkPaymentReviewable(payment, order.status)
  return { order, payment }
}
