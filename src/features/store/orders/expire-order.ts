import { inTransaction, type Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { returnCoupon } from '../coupons/index.ts'
import { release } from '../stock/index.ts'
import { changeOrder, moneyOf } from './change-order.ts'
import { ENDED, runEffects } from './effects.ts'
import { asCancelled, asExpired } from './events.ts'
import { clearReserved, selectItems } from './queries/items.ts'
import * as q from './queries/orders.ts'
import { rejectWaiting } from './queries/payments.ts'
import type { Order } from './schema.ts'
import { checkCancellable, EXPIRING } from './status.rules.ts'

/** Ends an order that was not paid in time, and returns its stock. Returns false if it is not due. */
export function expireOrder(context: StoreContext, id: string): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const order = await q.lockOrder(tx, context.store.id, id)
    const due = order?.expires_at != null && order.expires_at <= context.now
    if (!order || !due || !EXPIRING.includes(order.status)) return false
    await expire(tx, context, order)
    return true
  })
}

/** Ends a renewal whose last attempt failed. False while a payment of it waits for review. */
export async function expireRenewal(tx: Tx, context: StoreContext, id: string): Promise<boolean> {
  const order = found(await q.lockOrder(tx, context.store.id, id), 'Order')
  if (!EXPIRING.includes(order.status)) return false
  await expire(tx, context, order)
  return true
}

async function expire(tx: Tx, context: StoreContext, order: q.LockedOrder): Promise<void> {
  await giveBack(tx, context, order)
  const steps = [{ status: 'expired' as const, reason: null }]
  const after = await changeOrder(tx, context, order.id, { status: 'expired', steps })
  const effects = await runEffects(ENDED, tx, context, [after, undefined])
  await context.emit(tx, [asExpired(after), ...effects])
}

/** Ends an unpaid order on request; a payment that waits for review is rejected with it. */
export function cancelOrder(
  context: StoreContext,
  id: string,
  reason: string | null,
): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const order = found(await q.lockOrder(tx, context.store.id, id), 'Order')
    checkCancellable(order.status)
    await giveBack(tx, context, order)
    if (order.status === 'manual_review') {
      const { actor } = context.audit.origin
      await rejectWaiting(tx, context.store.id, id, { now: context.now, actor })
    }
    const after = await changeOrder(tx, context, id, {
      status: 'cancelled',
      steps: [{ status: 'cancelled', reason }],
      expires_at: null,
      cancelled_at: context.now,
    })
    context.audit.changed(order, moneyOf(after))
    const effects = await runEffects(ENDED, tx, context, [after, undefined])
    await context.emit(tx, [asCancelled(after, reason), ...effects])
    return after
  })
}

async function giveBack(
  tx: Tx,
  context: StoreContext,
  { id, has_coupon }: q.LockedOrder,
): Promise<void> {
  const items = await selectItems(tx, context.store.id, id)
  const held = items.map(({ variant_id, reserved }) => ({ variant_id, quantity: reserved }))
  await release(tx, context, held)
  await clearReserved(
    tx,
    context.store.id,
    items.map((item) => item.id),
  )
  if (has_coupon) await returnCoupon(tx, context.store.id, id)
}
