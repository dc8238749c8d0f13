import { inTransaction, type Tx } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { credit, moveTo, type PaymentOnOrder } from './add-manual-payment.ts'
import type { Review } from './payment-schema.ts'
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
  shop: Shop,
  path: PaymentPath,
  { note }: Review,
): Promise<PaymentOnOrder> {
  return inTransaction(shop.db, async (tx) => {
    const order = await lockReviewed(tx, shop, path)
    const review = {
      status: 'approved' as const,
      reviewed_at: shop.now,
      ...(note !== undefined && { note }),
    }
    const payment = await payments.reviewPayment(tx, shop.store.id, path.id, review)
    return { payment, order: await credit(tx, shop, order, payment) }
  })
}

/** Refuses a payment after review: the order waits for money again, and its clock starts anew. */
export function rejectPayment(
  shop: Shop,
  path: PaymentPath,
  { note }: Review,
): Promise<PaymentOnOrder> {
  return inTransaction(shop.db, async (tx) => {
    const order = await lockReviewed(tx, shop, path)
    const review = {
      status: 'rejected' as const,
      reviewed_at: shop.now,
      ...(note !== undefined && { note }),
    }
    const payment = await payments.reviewPayment(tx, shop.store.id, path.id, review)
    const reviews = await payments.countReviews(tx, shop.store.id, path.orderId)
    await moveTo(tx, shop, order, {
      status: statusAfter(order, reviews),
      paid_cents: order.paid_cents,
    })
    return { payment, order: await readOrder(shop, tx, path.orderId) }
  })
}

async function lockReviewed(
  tx: Tx,
  { store }: Shop,
  { orderId, id }: PaymentPath,
): Promise<q.LockedOrder> {
  const order = found(await q.lockOrder(tx, store.id, orderId), 'Order')
  const payment = found(await payments.selectPayment(tx, store.id, orderId, id), 'Payment')
  checkReviewable(payment.status, order.status)
  return order
}
