import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import { TOTAL_MAX } from '../../../kernel/money.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { changeOrder, moneyOf } from './change-order.ts'
import { manualReviewEvent } from './events.ts'
import { endOpenPayments } from './open-payments.ts'
import { mailPartial, mailReview } from './order-mail.ts'
import { payInFull } from './pay-in-full.ts'
import type { NewManualPayment, Payment } from './payment-schema.ts'
import { checkPartPayments, checkReviews } from './payments.rules.ts'
import * as q from './queries/index.ts'
import type { Order, OrderStatus, StoredOrder } from './schema.ts'
import { checkPayable, expiryOf, owedCents, statusAfter } from './status.rules.ts'

export interface PaymentAndOrder {
  payment: Payment
  order: Order
}

/** Records a payment that arrived outside of Tradepost. It counts at once, or waits for a review. */
export function addManualPayment(
  context: StoreContext,
  orderId: string,
  body: NewManualPayment,
): Promise<PaymentAndOrder> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await q.lockOrder(tx, store.id, orderId), 'Order')
    const needsReview = body.status === 'pending_review'
    checkPayable(order.status, { needsReview })
    const amount_cents = body.amount_cents ?? owedCents(order)
    if (amount_cents < 1)
      throw invalid('amount_cents', 'Nothing is owed for this order. Send the amount received.')

    const payment = await q.insertPayment(tx, store.id, {
      order_id: orderId,
      kind: 'manual',
      status: body.status,
      amount_cents,
      currency: order.currency,
      reference: body.reference,
      proof_text: body.proof_text,
      proof_url: body.proof_url,
      note: body.note,
      reviewed_at: needsReview ? null : now,
      actor: context.audit.origin.actor,
      created_at: now,
    })
    const after = needsReview
      ? await markForReview(tx, context, order, payment)
      : await applyPayment(tx, context, order, payment)
    if (needsReview) checkReviews(after.payments)
    else checkPartPayments(after)
    context.audit.reportChange(order, moneyOf(after))
    return { payment, order: after }
  })
}

/** Sets an order to `manual_review`. It does not expire during the review. */
export async function markForReview(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  payment: Payment,
): Promise<Order> {
  const after = await changeOrder(tx, context, order.id, {
    status: 'manual_review',
    historyEntries:
      order.status === 'manual_review' ? [] : [{ status: 'manual_review', reason: null }],
    payment_method: order.payment_method ?? payment.kind,
    expires_at: null,
  })
  await context.emit(tx, [manualReviewEvent(after, payment)])
  await mailReview(tx, context, after, payment)
  return after
}

/** Adds an accepted payment to an order, and delivers the order if it is now paid in full. */
export async function applyPayment(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  payment: Payment,
): Promise<Order> {
  const paid_cents = order.paid_cents + payment.amount_cents
  const { kind } = payment
  if (paid_cents > TOTAL_MAX)
    throw invalid('amount_cents', `An order accepts at most ${TOTAL_MAX} cents. Send less.`)
  if (isPaid(order)) {
    const { store, now } = context
    await ORDER_LIFE.moneyAdded.customers.addSpent(tx, store.id, order.customer_id, {
      cents: payment.amount_cents,
      now,
    })
    return setStatusAndPaidAmount(tx, context, order, { status: order.status, paid_cents, kind })
  }

  const pendingReviews =
    order.status === 'manual_review'
      ? await q.countPendingReviews(tx, context.store.id, order.id)
      : 0
  const status = statusAfter({ ...order, paid_cents }, pendingReviews)
  if (status !== 'paid') {
    const after = await setStatusAndPaidAmount(tx, context, order, { status, paid_cents, kind })
    await mailPartial(tx, context, after, payment)
    return after
  }
  const restores_coupon = order.status === 'expired' && order.has_coupon
  return payInFull(tx, context, order, { payment, restores_coupon })
}

/** An order that is paid already accepts another payment; its money can be refunded. */
const isPaid = ({ status }: q.LockedOrder) => status === 'paid' || status === 'completed'

interface StatusAndPaidAmount {
  status: OrderStatus
  paid_cents: number
  kind?: Payment['kind']
}

/**
 * Sets the status and the paid amount of an order. An order that leaves its review unpaid gets a new
 * expiry.
 */
export async function setStatusAndPaidAmount(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  { status, paid_cents, kind = 'manual' }: StatusAndPaidAmount,
): Promise<StoredOrder> {
  const { store, now } = context
  const leavesReview = order.status === 'manual_review' && status !== 'manual_review'
  const after = await changeOrder(tx, context, order.id, {
    status,
    ...(status !== order.status && { historyEntries: [{ status, reason: null }] }),
    paid_cents,
    ...(order.refunded_cents > 0 && paid_cents > order.paid_cents && { refund_status: 'partial' }),
    payment_method: order.payment_method ?? kind,
    // A renewal has no expiry; its subscription ends it (decision 143).
    ...(leavesReview &&
      order.recurring !== 'renewal' && { expires_at: expiryOf(now, store.order_expiry_minutes) }),
  })
  if (paid_cents > order.paid_cents) await endOpenPayments(tx, context, after)
  return after
}
