import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalidState, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { changeOrder } from './change-order.ts'
import { completeIfDelivered, completionEvents } from './complete-order.ts'
import { mailReleased } from './order-mail.ts'
import { deliverPaidLines } from './pay-in-full.ts'
import * as q from './queries/index.ts'
import type { Order } from './schema.ts'
import { readOrder } from './show-order.ts'
import { checkHoldable } from './status.rules.ts'

type HoldReason = NonNullable<Order['hold']>['reason']

/** Puts an order on hold at the request of the seller (decision 458). */
export function holdOrder(context: StoreContext, id: string, reason: HoldReason): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await q.lockOrder(tx, context.store.id, id), 'Order')
    checkHoldable(order)
    return putOnHold(tx, context, order, reason)
  })
}

/** Puts a locked order on hold: bans its license keys, and stops its deliveries and renewals. */
export async function putOnHold(
  tx: Tx,
  context: StoreContext,
  { id, recurring, hold: before }: q.LockedOrder,
  reason: HoldReason,
): Promise<Order> {
  const { store, now, audit } = context
  const hold = { reason, since: now }
  if (recurring) await ORDER_LIFE.held.subscriptions.hold(tx, store.id, id)
  await q.deleteCallsOfOrder(tx, store.id, id)
  await ORDER_LIFE.held.licensing.ban(tx, context, id, hold)
  audit.reportChange({ hold: before }, { hold: reason })
  return changeOrder(tx, context, id, { hold: JSON.stringify(hold) })
}

/**
 * Releases the subscriptions and license keys of an order whose hold ends because it is refunded or cancelled. After a
 * dispute the license keys stay banned, until the seller unbans them.
 */
export async function endHold(
  tx: Tx,
  context: StoreContext,
  { id, recurring, hold }: q.LockedOrder,
): Promise<void> {
  if (hold === null) return
  if (recurring) await ORDER_LIFE.endedOnHold.subscriptions.release(tx, context.store.id, id)
  if (hold.reason === 'dispute') await ORDER_LIFE.endedOnHold.licensing.keepBans(tx, context, id)
  else await ORDER_LIFE.endedOnHold.licensing.unban(tx, context, id)
}

/** Releases an order at the request of the seller. */
export function releaseOrder(context: StoreContext, id: string): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await q.lockOrder(tx, context.store.id, id), 'Order')
    if (order.hold === null) throw invalidState(order.status, 'This order is not on hold.')
    return release(tx, context, order)
  })
}

/** Releases a locked order. If it was paid while it was on hold, its lines are delivered now. */
export async function release(tx: Tx, context: StoreContext, order: q.LockedOrder): Promise<Order> {
  const { store, audit } = context
  const { id, status, recurring, hold } = order
  await changeOrder(tx, context, id, { hold: null })
  const isWaiting = status === 'paid' && !(await q.hasBeenServed(tx, store.id, id))
  // Stock is locked before license keys (decision 400).
  const events = isWaiting ? await deliverPaidLines(tx, context, order) : []
  if (recurring) await ORDER_LIFE.released.subscriptions.release(tx, store.id, id)
  if (isWaiting && recurring === 'first')
    await ORDER_LIFE.released.subscriptions.extendLicenses(tx, context, id)
  await ORDER_LIFE.released.licensing.unban(tx, context, id)
  await q.insertCallsOfOrder(tx, store.id, id, context.now)
  const completedOrder = isWaiting ? await completeIfDelivered(tx, context, order) : undefined
  const completed = completedOrder ? await completionEvents(tx, context, completedOrder) : []
  await context.emit(tx, [...completed, ...events])
  audit.reportChange({ hold: hold?.reason ?? null }, { hold: null })
  const after = completedOrder ?? (await readOrder(context, tx, id))
  if (isWaiting) await mailReleased(tx, context, after)
  return after
}
