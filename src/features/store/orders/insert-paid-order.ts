import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { NewUse } from '../coupons/index.ts'
import { selectCustomer } from '../customers/index.ts'
import { ORDER_LIFE } from '../order-life.ts'
import type { SeenCounters } from '../stock/index.ts'
import {
  asStockLines,
  bundleSalesOf,
  createLicenseKeysOf,
  planDeliveries,
} from './deliver-lines.ts'
import { orderCreatedEvent } from './events.ts'
import type { OrderLine } from './lines.rules.ts'
import { mailPaid } from './order-mail.ts'
import { followPayment, paymentRow } from './pay-in-full.ts'
import * as q from './queries/index.ts'
import type { Order } from './schema.ts'
import { readOrder } from './show-order.ts'

/** An order whose prices are fixed, and that is not inserted yet. */
export interface PlannedOrder {
  row: q.NewOrderRow
  lines: readonly OrderLine[]
  /** The counters of the stock of all lines, which were read without a lock. */
  seen: readonly SeenCounters[]
  /** Tells which lines the coupon of the order applies to. */
  isDiscounted: readonly boolean[]
  couponUse: NewUse | undefined
  /** Events to emit before those of the order. */
  earlierEvents: readonly NewEvent[]
}

/**
 * Takes the stock of an order that is free, is marked as paid (`isMarkedPaid`), or is paid from the balance, and inserts
 * the order with its payment and its deliveries.
 * `order.created` shows it before the payment, as it shows every order.
 *
 * Why not insert it unpaid, and pay it as every other order? All orders of a store wait for the counter of their
 * numbers, which is locked from the insertion to the commit. So all that can happen before it does.
 */
export async function insertPaidOrder(
  tx: Tx,
  context: StoreContext,
  { isMarkedPaid, ...planned }: PlannedOrder & { isMarkedPaid: boolean },
): Promise<Order> {
  const { store, now } = context
  const { row, lines, seen, isDiscounted, earlierEvents } = planned
  const { id, customer_id, total_cents: amount_cents } = row
  const orderLines = asStockLines(lines.map((line) => ({ ...line, order_id: id })))
  const stock = await ORDER_LIFE.createdPaid.stock.take(tx, context, orderLines, {
    seen,
    bundleSales: bundleSalesOf(lines),
  })
  // Coupons are locked after stock (decision 400).
  if (planned.couponUse) await ORDER_LIFE.created.coupons.use(tx, store.id, planned.couponUse)
  const kind = amount_cents === 0 ? 'free' : isMarkedPaid ? 'manual' : 'balance'
  const status = kind === 'manual' ? 'approved' : 'succeeded'
  const payment = paymentRow(context, row, { kind, status, amount_cents })
  const deliveries = await planDeliveries(tx, context, lines, stock.lines)
  const isComplete = deliveries.every(({ delivered }) => delivered)
  const paidOrder = { customer_id, order_id: id, cents: amount_cents }
  await ORDER_LIFE.createdPaid.customers.addSales(tx, store.id, { now, orders: [paidOrder] })

  const { items } = await q.insertOrder(tx, store.id, {
    row,
    lines: lines.map((line, index) => ({
      ...line,
      reserved: stock.reserved[index] ?? 0,
      owed: stock.lines[index]?.owed ?? 0,
      served: stock.lines[index]?.served ?? false,
    })),
    paid: { payment, deliveries, isComplete },
  })
  if (kind === 'balance') await payFromBalance(tx, context, row)
  await ORDER_LIFE.created.subscriptions.create(tx, context, { ...row, items }, isDiscounted)
  const servedLines = lines.flatMap((line, index) => {
    const item = items[index]
    return item && stock.lines[index]?.served ? { ...line, id: item.id } : []
  })
  await createLicenseKeysOf(tx, context, id, servedLines)
  const order = await readOrder(context, tx, id)
  const { status: orderStatus, paid_cents, payments } = order
  context.audit.reportChange(null, { status: orderStatus, paid_cents, payment_id: payments[0]?.id })
  const completedEvents = await followPayment(tx, context, [order])
  const createdEvent = orderCreatedEvent({
    ...order,
    status: 'pending',
    paid_cents: 0,
    paid_at: null,
  })
  await context.emit(tx, [...earlierEvents, createdEvent, ...stock.events, ...completedEvents])
  await mailPaid(tx, context, [order])
  return order
}

async function payFromBalance(
  tx: Tx,
  context: StoreContext,
  { id, customer_id, total_cents: cents }: q.NewOrderRow,
): Promise<void> {
  const isPaid = await ORDER_LIFE.createdPaid.customers.debit(tx, context, customer_id, {
    orderId: id,
    cents,
  })
  if (isPaid) return
  const available = (await selectCustomer(tx, context.store, customer_id))?.balance_cents ?? 0
  const message = `The customer's balance is ${available}, and the order totals ${cents}. Use another method, and pay a part from the balance with POST /orders/{id}/balance-payments.`
  throw invalid('payment_method', message, { available })
}
