import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { changeOrder, moneyOf } from './change-order.ts'
import { orderCancelledEvent, orderExpiredEvent, orderRefundedEvent } from './events.ts'
import { endHold } from './hold-order.ts'
import { endOpenPayments, stoppedUntil } from './open-payments.ts'
import * as q from './queries/index.ts'
import { returnCredit } from './return-credit.ts'
import type { Order } from './schema.ts'
import { checkCancellable, EXPIRABLE_STATUSES } from './status.rules.ts'

/**
 * Expires an order that was not paid in time, releases its stock, and returns its store credit (decision 180).
 * Returns false if it is not due, or if its buyer can still pay at a provider (decision 455). `endedPayments` are the
 * ids of payments that their providers were asked to end.
 */
export function expireOrder(
  context: StoreContext,
  id: string,
  endedPayments: readonly number[] = [],
): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const order = await q.lockOrder(tx, context.store.id, id)
    const isDue = order?.expires_at != null && order.expires_at <= context.now
    if (!order || !isDue || !EXPIRABLE_STATUSES.includes(order.status)) return false
    const openPayments = await q.selectOpenPayments(tx, context.store.id, id)
    if (openPayments.some((payment) => !endedPayments.includes(payment.id))) return false
    const expires_at = stoppedUntil(order, openPayments, context.now)
    if (expires_at) {
      await changeOrder(tx, context, id, { expires_at })
      return false
    }
    await setExpired(tx, context, order)
    return true
  })
}

/**
 * Expires a renewal after its last attempt to charge it failed. Returns false while one of its
 * payments waits for a review, or is being processed by its provider.
 */
export async function expireRenewal(
  tx: Tx,
  context: StoreContext,
  id: string,
  reason: string | null,
): Promise<boolean> {
  const order = requireRecord(await q.lockOrder(tx, context.store.id, id), 'Order')
  if (!EXPIRABLE_STATUSES.includes(order.status)) return false
  const openPayments = await q.selectOpenPayments(tx, context.store.id, id)
  if (stoppedUntil(order, openPayments, context.now)) return false
  await setExpired(tx, context, order, reason)
  return true
}

async function setExpired(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  reason: string | null = null,
): Promise<void> {
  const credit = await returnCredit(tx, context, order, 'expired')
  await releaseStockAndCoupon(tx, context, order)
  const after = await changeOrder(tx, context, order.id, {
    status: 'expired',
    historyEntries: [{ status: 'expired', reason }],
    ...credit?.change,
  })
  await ORDER_LIFE.ended.subscriptions.end(tx, context, after)
  await endOpenPayments(tx, context, after)
  const refundEvents = credit ? [orderRefundedEvent(after, credit.refund)] : []
  await context.emit(tx, [orderExpiredEvent(after), ...refundEvents])
}

/** Cancels an unpaid order, returns its store credit, rejects its payments that wait for a review, and ends its hold. */
export function cancelOrder(
  context: StoreContext,
  id: string,
  reason: string | null,
): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await q.lockOrder(tx, context.store.id, id), 'Order')
    checkCancellable(order.status)
    const credit = await returnCredit(tx, context, order, 'cancelled')
    await releaseStockAndCoupon(tx, context, order)
    if (order.status === 'manual_review') {
      const { actor } = context.audit.origin
      await q.rejectPendingReviews(tx, context.store.id, id, { now: context.now, actor })
    }
    const after = await changeOrder(tx, context, id, {
      status: 'cancelled',
      historyEntries: [{ status: 'cancelled', reason }],
      expires_at: null,
      cancelled_at: context.now,
      hold: null,
      ...credit?.change,
    })
    context.audit.reportChange(order, moneyOf(after))
    await ORDER_LIFE.ended.subscriptions.end(tx, context, after)
    await endHold(tx, context, order)
    await endOpenPayments(tx, context, after)
    const refundEvents = credit ? [orderRefundedEvent(after, credit.refund)] : []
    await context.emit(tx, [orderCancelledEvent(after, reason), ...refundEvents])
    return after
  })
}

async function releaseStockAndCoupon(
  tx: Tx,
  context: StoreContext,
  { id, has_coupon }: q.LockedOrder,
): Promise<void> {
  const items = await q.selectItems(tx, context.store.id, id)
  const reservations = items.map(({ variant_id, reserved }) => ({ variant_id, quantity: reserved }))
  await ORDER_LIFE.ended.stock.release(tx, context, reservations)
  await q.clearReserved(
    tx,
    context.store.id,
    items.map((item) => item.id),
  )
  if (has_coupon) await ORDER_LIFE.ended.coupons.releaseUse(tx, context.store.id, id)
}
