import { inTransaction, type Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { credit, moveTo, type PaymentOnOrder } from './add-manual-payment.ts'
import { moneyOf } from './change-order.ts'
import type { Payment, Review } from './payment-schema.ts'
import * as q from './queries/orders.ts'
import * as payments from './queries/payments.ts'
import { readOrder } from './show-order.ts'
import { checkReviewable, statusAfter } from './status.rules.ts'

export interface PaymentPath {
  orderId: string
  id: number
}

/** Accepts a payment after review: its money counts, and an order that is paid with it is delivered. */
export function approvePayment(
  context: StoreContext,
  path: PaymentPath,
  review: Review,
): Promise<PaymentOnOrder> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockReviewed(tx, context, path)
    const payment = await decide(tx, context, path, { ...review, status: 'approved' })
    const after = await credit(tx, context, order, payment)
    context.audit.changed(order, moneyOf(after))
    return { payment, order: after }
  })
}

/** Refuses a payment after review: the order waits for money again, and its clock starts again. */
export function rejectPayment(
  context: StoreContext,
  path: PaymentPath,
  review: Review,
): Promise<PaymentOnOrder> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockReviewed(tx, context, path)
    const payment = await decide(tx, context, path, { ...review, status: 'rejected' })
    const reviews = await payments.countReviews(tx, context.store.id, path.orderId)
    const after =
      order.status === 'manual_review'
        ? await moveTo(tx, context, order, {
            status: statusAfter(order, reviews),
            paid_cents: order.paid_cents,
          })
        : await readOrder(context, tx, path.orderId)
    context.audit.changed(order, moneyOf(after))
    return { payment, order: after }
  })
}

/** An omitted note keeps the stored one. */
function decide(
  tx: Tx,
  { store, now, audit }: StoreContext,
  { id }: PaymentPath,
  { status, note }: Review & { status: 'approved' | 'rejected' },
): Promise<Payment> {
  const reviewed_by = audit.origin.actor
  const review = { status, reviewed_at: now, reviewed_by, ...(note !== undefined && { note }) }
  return payments.reviewPayment(tx, store.id, id, review)
}

async function lockReviewed(
  tx: Tx,
  { store }: StoreContext,
  { orderId, id }: PaymentPath,
): Promise<q.LockedOrder> {
  const order = found(await q.lockOrder(tx, store.id, orderId), 'Order')
  const payment = found(await payments.selectPayment(tx, store.id, orderId, id), 'Payment')
  checkReviewable(payment.status, order.status)
  return order
}
