import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { changeOrders } from './change-order.ts'
import { completionEvents } from './complete-order.ts'
import {
  asStockLines,
  bundleSalesOf,
  createLicenseKeysOf,
  planDeliveries,
} from './deliver-lines.ts'
import { withDueUnits } from './lines.rules.ts'
import { endOpenPayments } from './open-payments.ts'
import { mailPaid } from './order-mail.ts'
import type { Payment } from './payment-schema.ts'
import * as q from './queries/index.ts'
import type { Order, OrderStatus, StoredOrder } from './schema.ts'

/** An order that is paid in full now. Its row is locked or new. */
export interface PayableOrder {
  id: string
  currency: string
  customer_id: number
  paid_cents: number
  /** The amount that was refunded before this payment, while the order was expired. */
  refunded_cents: number
  payment_method: string | null
  recurring: StoredOrder['recurring']
  hold: Order['hold']
}

interface FullPayment {
  /** The payment that makes the order fully paid. A payment with an `id` is recorded already. */
  payment: Pick<Payment, 'kind' | 'status' | 'amount_cents'> & { id?: number }
  /** True if the order had expired, so that its coupon use must be counted again. */
  restores_coupon?: boolean
}

/** An order that a payment has made fully paid. */
export type FullyPaidOrder = FullPayment & { order: PayableOrder }

/** Delivers one fully paid order; see `payAllInFull`. */
export async function payInFull(
  tx: Tx,
  context: StoreContext,
  order: PayableOrder,
  payment: FullPayment,
): Promise<Order> {
  const [after] = await payAllInFull(tx, context, [{ order, ...payment }])
  if (!after) throw new Error(`Order ${order.id} was not changed by its payment.`)
  return after
}

/**
 * Delivers fully paid orders of different customers: takes their stock and keys, and completes the
 * orders whose lines are all delivered. An order that waits for stock or for the seller stays
 * `paid`.
 */
export async function payAllInFull(
  tx: Tx,
  context: StoreContext,
  paidOrders: readonly FullyPaidOrder[],
): Promise<Order[]> {
  const { store, now } = context
  const unrecordedPayments = paidOrders.filter(({ payment }) => payment.id === undefined)
  await q.insertPayments(
    tx,
    store.id,
    unrecordedPayments.map(({ order, payment }) => paymentRow(context, order, payment)),
  )
  const paidAmounts = paidOrders.map(({ order, payment }) => ({
    customer_id: order.customer_id,
    order_id: order.id,
    cents: order.paid_cents + payment.amount_cents - order.refunded_cents,
  }))
  await ORDER_LIFE.paid.customers.addSales(tx, store.id, { now, orders: paidAmounts })
  const { completeIds, events: stockEvents } = await deliverOrders(tx, context, {
    paidOrders,
    bundleSalesOf,
  })
  const changes = paidOrders.map((item) => ({
    id: item.order.id,
    change: changeOfPayment(item, completeIds.has(item.order.id), now),
  }))
  const orders = await changeOrders(tx, context, changes)
  for (const order of orders) await endOpenPayments(tx, context, order)
  const completedEvents = await followPayment(tx, context, orders)
  await context.emit(tx, [...completedEvents, ...stockEvents])
  await mailPaid(tx, context, orders)
  return orders
}

/**
 * Does in other features what follows orders that are paid in full now: begins the periods of subscriptions, and
 * records conversions. Returns the events of those orders that are completed.
 */
export async function followPayment(
  tx: Tx,
  context: StoreContext,
  orders: readonly StoredOrder[],
): Promise<NewEvent[]> {
  context.count(tx, 'order', 'paid', orders.length)
  await ORDER_LIFE.paid.subscriptions.advance(tx, context, orders)
  // A completed order records the commission of its conversion, so the conversion is inserted first.
  for (const order of orders) await ORDER_LIFE.paid.affiliates.convert(tx, context, order)
  const events: NewEvent[] = []
  for (const order of orders) {
    if (order.status === 'completed') events.push(...(await completionEvents(tx, context, order)))
  }
  return events
}

function changeOfPayment(
  { order, payment }: FullyPaidOrder,
  isComplete: boolean,
  now: string,
): q.OrderChange {
  const newStatuses: OrderStatus[] = isComplete ? ['paid', 'completed'] : ['paid']
  return {
    status: isComplete ? 'completed' : 'paid',
    historyEntries: newStatuses.map((status) => ({ status, reason: null })),
    paid_cents: order.paid_cents + payment.amount_cents,
    ...(order.refunded_cents > 0 && { refund_status: 'partial' }),
    payment_method: payment.kind === 'free' ? 'free' : (order.payment_method ?? payment.kind),
    expires_at: null,
    paid_at: now,
    ...(isComplete && { completed_at: now }),
  }
}

interface DeliveryResult {
  /** The ids of the orders whose lines are all delivered. */
  completeIds: Set<string>
  events: NewEvent[]
}

/**
 * Delivers the lines of an order that was paid while it was on hold. Its bundles were counted when it was paid. Returns the
 * events to emit.
 */
export async function deliverPaidLines(
  tx: Tx,
  context: StoreContext,
  { id, recurring }: Pick<PayableOrder, 'id' | 'recurring'>,
): Promise<NewEvent[]> {
  const order = { id, recurring, hold: null }
  const delivered = await deliverOrders(tx, context, {
    paidOrders: [{ order }],
    bundleSalesOf: () => new Map(),
  })
  return delivered.events
}

interface DeliverableOrder {
  order: Pick<PayableOrder, 'id' | 'recurring' | 'hold'>
  restores_coupon?: boolean
}

interface OrdersToDeliver {
  paidOrders: readonly DeliverableOrder[]
  /** Returns the bundles to count as sold. Those of an order on hold count too, because it is paid. */
  bundleSalesOf: typeof bundleSalesOf
}

/** Delivers the lines of orders that can be delivered now, and records deliveries for the others. */
async function deliverOrders(
  tx: Tx,
  context: StoreContext,
  { paidOrders, bundleSalesOf: salesOf }: OrdersToDeliver,
): Promise<DeliveryResult> {
  const { store, now } = context
  const paidItems = await q.selectPaidItems(
    tx,
    store.id,
    paidOrders.map(({ order }) => order.id),
  )
  const ids = new Set(paidOrders.flatMap(({ order }) => (order.hold === null ? order.id : [])))
  const items = paidItems
    .filter((item) => ids.has(item.order_id))
    .map(withDueUnits)
    .filter((item) => item.quantity > 0)
  const stockLines = asStockLines(items)
  const { lines, events } = await ORDER_LIFE.paid.stock.take(tx, context, stockLines, {
    seen: items.flatMap(({ stock }) => stock ?? []),
    bundleSales: salesOf(paidItems),
  })
  // Coupons are locked after stock and before license keys and partners (decision 400).
  for (const { order, restores_coupon } of paidOrders) {
    if (restores_coupon) await ORDER_LIFE.paid.coupons.restoreUse(tx, store.id, order.id)
  }
  const plannedDeliveries = await planDeliveries(tx, context, items, lines)
  const deliveries = plannedDeliveries.map(({ line, ...delivery }) => ({
    ...delivery,
    order_id: line.order_id,
    order_item_id: line.id,
  }))
  const servedItems = items.filter((_, index) => lines[index]?.served)
  await createLicenseKeys(tx, context, paidOrders, servedItems)
  // Physical lines have fulfillments instead of deliveries.
  const nonPhysicalDeliveries = deliveries.filter((item) => item.type !== 'physical')
  const served_item_ids = servedItems.map((item) => item.id)
  await q.recordDeliveries(tx, store.id, {
    now,
    deliveries: nonPhysicalDeliveries,
    served_item_ids,
  })
  const owedItems = items.map(({ id }, index) => ({ id, owed: lines[index]?.owed ?? 0 }))
  await q.recordOwed(
    tx,
    store.id,
    owedItems.filter(({ owed }) => owed > 0),
  )
  const incompleteIds = new Set(deliveries.flatMap((item) => (item.delivered ? [] : item.order_id)))
  return { completeIds: new Set([...ids].filter((id) => !incompleteIds.has(id))), events }
}

/** Creates the license keys of orders. A renewal extends the license keys of its first order instead. */
async function createLicenseKeys(
  tx: Tx,
  context: StoreContext,
  paidOrders: readonly DeliverableOrder[],
  servedItems: readonly q.ItemRow[],
): Promise<void> {
  for (const { order } of paidOrders) {
    if (order.recurring === 'renewal') continue
    const items = servedItems.filter((item) => item.order_id === order.id)
    await createLicenseKeysOf(tx, context, order.id, items)
  }
}

/** Returns the row of a payment that is made now. */
export const paymentRow = (
  { now, audit }: StoreContext,
  order: Pick<PayableOrder, 'id' | 'currency'>,
  payment: FullPayment['payment'],
) => ({
  order_id: order.id,
  kind: payment.kind,
  status: payment.status,
  amount_cents: payment.amount_cents,
  currency: order.currency,
  reviewed_at: payment.status === 'approved' ? now : null,
  actor: audit.origin.actor,
  created_at: now,
})
