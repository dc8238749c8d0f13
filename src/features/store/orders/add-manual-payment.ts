import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import { TOTAL_MAX } from '../../../kernel/money.ts'
import type { StoreContext } from '../../../store-context.ts'
import { retakeCoupon } from '../coupons/index.ts'
import { changeSpent } from '../customers/index.ts'
import { changeOrder, moneyOf } from './change-order.ts'
import { asManualReview } from './events.ts'
import { payInFull } from './pay-in-full.ts'
import type { NewManualPayment, Payment } from './payment-schema.ts'
import { checkPartPayments, checkReviews } from './payments.rules.ts'
import * as q from './queries/orders.ts'
import * as payments from './queries/payments.ts'
import type { Order, Status } from './schema.ts'
import { checkPayable, expiryOf, owedCents, statusAfter } from './status.rules.ts'

export interface PaymentOnOrder {
  payment: Payment
  order: Order
}

/** Records a payment that arrived outside: accepted at once, or to be reviewed. */
export function addManualPayment(
  context: StoreContext,
  orderId: string,
  body: NewManualPayment,
): Promise<PaymentOnOrder> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = found(await q.lockOrder(tx, store.id, orderId), 'Order')
    const review = body.status === 'pending_review'
    checkPayable(order.status, review)
    const amount_cents = body.amount_cents ?? owedCents(order)
    if (amount_cents < 1)
      throw invalid('amount_cents', 'Nothing is owed; name the amount that came in.')

    const payment = await payments.insertPayment(tx, store.id, {
      order_id: orderId,
      kind: 'manual',
      status: body.status,
      amount_cents,
      currency: order.currency,
      reference: body.reference,
      proof_text: body.proof_text,
      proof_url: body.proof_url,
      note: body.note,
      reviewed_at: review ? null : now,
      actor: context.audit.origin.actor,
      reviewed_by: null,
      created_at: now,
    })
    const record = review ? waitForReview : credit
    const after = await record(tx, context, order, payment)
    if (review) checkReviews(after.payments)
    else checkPartPayments(after)
    context.audit.changed(order, moneyOf(after))
    return { payment, order: after }
  })
}

/** Nothing expires while the seller looks at a payment. */
async function waitForReview(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  payment: Payment,
): Promise<Order> {
  const after = await changeOrder(tx, context, order.id, {
    status: 'manual_review',
    steps: order.status === 'manual_review' ? [] : [{ status: 'manual_review', reason: null }],
    payment_method: order.payment_method ?? 'manual',
    expires_at: null,
  })
  await context.emit(tx, [asManualReview(after, payment)])
  return after
}

/** Adds accepted money to an order, and delivers it if it is now paid in full. */
export async function credit(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  payment: Payment,
): Promise<Order> {
  const paid_cents = order.paid_cents + payment.amount_cents
  const { kind } = payment
  if (paid_cents > TOTAL_MAX) throw invalid('amount_cents', `An order takes ${TOTAL_MAX} at most.`)
  if (isPaid(order)) {
    const { store, now } = context
    await changeSpent(tx, store.id, order.customer_id, { cents: payment.amount_cents, now })
    return moveTo(tx, context, order, { status: order.status, paid_cents, kind })
  }

  const reviews =
    order.status === 'manual_review'
      ? await payments.countReviews(tx, context.store.id, order.id)
      : 0
  const status = statusAfter({ ...order, paid_cents }, reviews)
  if (status !== 'paid') return moveTo(tx, context, order, { status, paid_cents, kind })
  const after = await payInFull(tx, context, order, { payment })
  // Stock is locked before coupons, as by every new order.
  if (order.status === 'expired' && order.has_coupon) {
    await retakeCoupon(tx, context.store.id, order.id)
  }
  return after
}

/** More money than was owed is kept, and can be refunded. */
const isPaid = ({ status }: q.LockedOrder) => status === 'paid' || status === 'completed'

interface Moved {
  status: Status
  paid_cents: number
  kind?: Payment['kind']
}

/** Sets the status of an order that stays unpaid; leaving a review starts its clock again. */
export function moveTo(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  { status, paid_cents, kind = 'manual' }: Moved,
): Promise<Order> {
  const { store, now } = context
  const restarts = order.status === 'manual_review' && status !== 'manual_review'
  return changeOrder(tx, context, order.id, {
    status,
    steps: status === order.status ? [] : [{ status, reason: null }],
    paid_cents,
    ...(order.refunded_cents > 0 && paid_cents > order.paid_cents && { refund_status: 'partial' }),
    payment_method: order.payment_method ?? kind,
    // A renewal has no expiry of its own (decision 143).
    ...(restarts &&
      order.recurring !== 'renewal' && { expires_at: expiryOf(now, store.order_expiry_minutes) }),
  })
}
