import type { Tx } from '../../../db/database.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import { TOTAL_MAX } from '../../../kernel/money.ts'
import type { StoreContext } from '../../../store-context.ts'
import { renewLicenses } from '../../licensing/index.ts'
import * as q from './queries/index.ts'
import {
  canStart,
  endChange,
  isRunning,
  type PeriodChange,
  renewalChange,
  startChange,
} from './state.rules.ts'

export {
  holdSubscriptions,
  lockSubscriptionsOfOrders,
  releaseSubscriptions,
} from './queries/states.ts'

/** The fields of an order that subscriptions need. */
interface RecurringOrder {
  id: string
  status: string
  /** Null for an order without a subscription, which runs no statement here. */
  recurring: 'first' | 'renewal' | null
  payment_method: string | null
  customer: { id: number }
  items: readonly { id: number; delivery_type: string }[]
}

/**
 * Creates the subscriptions of a new order. They are pending until the order is paid. `isDiscounted` tells which lines
 * of the order its coupon applies to. The payment method of `order` is the one that its buyer chose.
 */
export async function createSubscriptions(
  tx: Tx,
  { store, now }: StoreContext,
  order: Pick<RecurringOrder, 'id' | 'recurring' | 'payment_method' | 'items'>,
  isDiscounted: readonly boolean[],
): Promise<void> {
  if (order.recurring !== 'first') return
  const couponItemIds = order.items.flatMap(({ id }, index) => (isDiscounted[index] ? [id] : []))
  const { id: orderId, payment_method } = order
  const created = { orderId, payment_method, couponItemIds, now }
  const items = await q.insertSubscriptions(tx, store.id, created)
  const itemOverLimit = items.find((item) => item.recurring_price_cents > TOTAL_MAX)
  if (itemOverLimit) {
    const index = order.items.findIndex((item) => item.id === itemOverLimit.order_item_id)
    throw invalid(
      `items[${index}].quantity`,
      `The total of a renewal can be at most ${TOTAL_MAX} cents. Reduce the quantity or the price.`,
    )
  }
}

/** Starts the subscriptions of paid first orders, and begins the next period after paid renewals. */
export async function advanceSubscriptions(
  tx: Tx,
  context: StoreContext,
  orders: readonly RecurringOrder[],
): Promise<void> {
  const { store, now } = context
  const recurringOrders = new Map(
    orders.filter((item) => item.recurring).map((item) => [item.id, item]),
  )
  if (recurringOrders.size === 0) return
  const rows = await q.lockSubscriptionsOfOrders(tx, store.id, [...recurringOrders.keys()])
  const paidBills = rows.map(({ order_id, ...row }) => {
    const order = requireRecord(recurringOrders.get(order_id), 'Order')
    return { order, before: row, ...stateAfterPayment(order, row, now) }
  })
  await q.payBills(tx, store.id, { now, paidBills })
  const licensePeriods = paidBills.flatMap(({ order, before, period }) => {
    if (!period || !sellsLicense(order, before)) return []
    const { order_item_id, id: subscription_id } = before
    const from = order.recurring === 'first' ? null : before.current_period_end
    return { order_item_id, subscription_id, from, until: period.end }
  })
  await renewLicenses(tx, context, licensePeriods)
}

/** Returns the subscription after a payment, and the new period; undefined if the subscription has ended. */
function stateAfterPayment(
  order: RecurringOrder,
  row: Omit<q.SubscriptionOfOrder, 'order_id'>,
  now: string,
): { after: q.SubscriptionRow; period: PeriodChange['period'] | undefined } {
  if (order.recurring === 'first' && canStart(row)) {
    const { period, ...change } = startChange(row, now)
    // The customer of an order can change until the order is paid.
    const payment_method = renewalMethod(order, row)
    return { after: { ...row, ...change, customer_id: order.customer.id, payment_method }, period }
  }
  if (order.recurring === 'renewal' && isOpenRenewal(row, order)) {
    const { period, ...change } = renewalChange(row)
    return { after: { ...row, ...change }, period }
  }
  // The order is paid, so it is no longer open, even if the subscription has ended.
  const isOpen = row.open_invoice_id === order.id
  return {
    after: isOpen ? { ...row, open_invoice_id: null, due_at: null } : row,
    period: undefined,
  }
}

const isOpenRenewal = (row: q.SubscriptionRow, { id }: RecurringOrder): boolean =>
  isRunning(row) && row.open_invoice_id === id

/**
 * Renewals are paid by the method of the first order. If that order was free, they are paid by the method that its
 * buyer chose for it, or else manually (decision 176).
 */
const renewalMethod = ({ payment_method }: RecurringOrder, chosen: q.SubscriptionRow): string =>
  (payment_method === 'free' ? chosen.payment_method : payment_method) ?? 'manual'

/** A renewal order has one item, which renews the item of the first order. */
const sellsLicense = (
  { items, recurring }: RecurringOrder,
  { order_item_id }: q.SubscriptionRow,
): boolean => {
  const item = recurring === 'first' ? items.find(({ id }) => id === order_item_id) : items[0]
  return item?.delivery_type === 'license'
}

/** Gives the licenses of a first order that was paid on hold the running periods of their subscriptions. */
export async function extendLicenses(
  tx: Tx,
  context: StoreContext,
  orderId: string,
): Promise<void> {
  const rows = await q.lockSubscriptionsOfOrders(tx, context.store.id, [orderId])
  const periods = rows.flatMap(({ id, order_item_id, started_at, current_period_end: until }) =>
    started_at === null || until === null
      ? []
      : { order_item_id, subscription_id: id, from: null, until },
  )
  await renewLicenses(tx, context, periods)
}

/** Cancels the subscriptions of a first order that was refunded in full. For a renewal, only marks its payment as refunded. */
export async function cancelRefundedSubscriptions(
  tx: Tx,
  { store, now }: StoreContext,
  order: RecurringOrder,
): Promise<void> {
  if (order.recurring === null) return
  const rows = await q.lockSubscriptionsOfOrders(tx, store.id, [order.id])
  await q.closeBills(tx, store.id, { order_id: order.id, status: 'refunded' })
  if (order.recurring !== 'first') return
  for (const row of rows.filter(isRunning)) {
    const { open_invoice_id } = row
    const change = endChange('cancelled', row, now)
    // The job cancels an unpaid renewal immediately.
    const openRenewal = open_invoice_id ? { open_invoice_id, due_at: now } : {}
    await q.updateSubscription(tx, store.id, row.id, { ...change, ...openRenewal, now })
  }
}

/** Ends the subscriptions of an order that expired or was cancelled, with the same status as the order. */
export async function endSubscriptions(
  tx: Tx,
  { store, now }: StoreContext,
  order: RecurringOrder,
): Promise<void> {
  if (order.recurring === null) return
  const status = order.status === 'cancelled' ? 'cancelled' : 'expired'
  await q.closeBills(tx, store.id, { order_id: order.id, status: 'failed' })
  for (const row of await q.lockSubscriptionsOfOrders(tx, store.id, [order.id])) {
    const isUnpaid =
      order.recurring === 'first' ? row.status === 'pending' : row.open_invoice_id === order.id
    if (!isUnpaid) continue
    const change = endChange(row.status === 'cancelled' ? 'cancelled' : status, row, now)
    await q.updateSubscription(tx, store.id, row.id, { ...change, now })
  }
}
