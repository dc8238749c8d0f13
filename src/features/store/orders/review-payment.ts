import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalidState, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { applyPayment, type PaymentAndOrder, setStatusAndPaidAmount } from './add-manual-payment.ts'
import { applyProviderPayment } from './apply-provider-payment.ts'
import { moneyOf } from './change-order.ts'
import { putOnHold } from './hold-order.ts'
import { mailReturned } from './order-mail.ts'
import type { Payment, PaymentReview } from './payment-schema.ts'
import * as q from './queries/index.ts'
import type { Order } from './schema.ts'
import { readOrder } from './show-order.ts'
import { canBeHeld, checkPaymentReviewable, statusAfter } from './status.rules.ts'

interface PaymentPath {
  orderId: string
  id: number
}

/** Money under review, as its provider has it now. */
export interface ArrivedMoney {
  /** The part that has gone back. */
  returned_cents: number
  isDisputed: boolean
}

/**
 * Approves a payment after its review. An order that is now paid in full is delivered, but not for money that has gone
 * back or is disputed.
 */
export function approvePayment(
  context: StoreContext,
  path: PaymentPath,
  review: PaymentReview & { arrived?: ArrivedMoney | undefined },
): Promise<PaymentAndOrder> {
  const { arrived = { returned_cents: 0, isDisputed: false }, note } = review
  return inTransaction(context.db, async (tx) => {
    const { order, payment: before } = await lockForReview(tx, context, path)
    if (before.review_reason === 'currency_mismatch') throw otherCurrency()
    if (arrived.returned_cents >= before.amount_cents) throw returnedAlready()
    const isManual = before.provider === null
    const status = isManual ? 'approved' : 'succeeded'
    const payment = await recordReview(tx, context, path, { note, status })
    const after = isManual
      ? await applyPayment(tx, context, order, payment)
      : await countArrived(tx, context, order, { payment, ...arrived })
    context.audit.reportChange(order, moneyOf(after))
    return { payment, order: after }
  })
}

const otherCurrency = () =>
  invalidState(
    'pending_review',
    'Money of another currency arrived, so its amount cannot be counted. Reject the payment, and the money goes back.',
  )

const returnedAlready = () =>
  invalidState(
    'pending_review',
    'The money of this payment has gone back to the buyer already. Reject the payment.',
  )

/** Counts money that arrived through a provider. The job records its refunds, its dispute and its fee after it. */
async function countArrived(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  { payment, returned_cents, isDisputed }: ArrivedMoney & { payment: Payment },
): Promise<Order> {
  await q.requestCheck(tx, context.store.id, payment.id, context.now)
  const isHeld = isDisputed && order.hold === null && canBeHeld(order.status)
  const { hold } = isHeld ? await putOnHold(tx, context, order, 'dispute') : order
  return applyProviderPayment(tx, context, { ...order, hold }, { payment, returned_cents })
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
    const pendingReviews = await q.countPendingReviews(tx, context.store.id, path.orderId)
    const after =
      order.status === 'manual_review'
        ? await setStatusAndPaidAmount(tx, context, order, {
            status: statusAfter(order, pendingReviews),
            paid_cents: order.paid_cents,
          })
        : await readOrder(context, tx, path.orderId)
    // An amount of another currency is not known here.
    if (payment.review_reason === 'amount_mismatch') await mailReturned(tx, context, after, payment)
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
  return q.reviewPayment(tx, store.id, id, review)
}

async function lockForReview(
  tx: Tx,
  { store }: StoreContext,
  { orderId, id }: PaymentPath,
): Promise<{ order: q.LockedOrder; payment: Payment }> {
  const order = requireRecord(await q.lockOrder(tx, store.id, orderId), 'Order')
  const payment = requireRecord(await q.selectPayment(tx, store.id, orderId, id), 'Payment')
  checkPaymentReviewable(payment, order.status)
  return { order, payment }
}
