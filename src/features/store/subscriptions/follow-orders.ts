import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { invalid } from '../../../kernel/errors.ts'
import { TOTAL_MAX } from '../../../kernel/money.ts'
import type { StoreContext } from '../../../store-context.ts'
import { renewLicenses } from '../../licensing/index.ts'
import * as q from './queries/states.ts'
import { canStart, ended, isLive, renewed, started } from './state.rules.ts'

/** The fields of an order that subscriptions need. */
export interface RecurringOrder {
  id: string
  status: string
  /** Null for an order that has nothing to do with subscriptions: it costs no statement here. */
  recurring: 'first' | 'renewal' | null
  payment_method: string | null
  customer: { id: number }
  items: readonly { id: number; delivery_type: string }[]
}

const NO_EVENTS: readonly NewEvent[] = []

/** Makes the subscriptions of an order that was just created. They are pending until it is paid. */
export async function subscribe(tx: Tx, { store, now }: StoreContext, order: RecurringOrder) {
  if (order.recurring !== 'first') return NO_EVENTS
  const lines = await q.insertSubscriptions(tx, store.id, { orderId: order.id, now })
  const dear = lines.find((line) => line.recurring_price_cents > TOTAL_MAX)
  if (dear) {
    const at = order.items.findIndex((item) => item.id === dear.order_item_id)
    throw invalid(`items[${at}].quantity`, `A renewal may come to ${TOTAL_MAX} at most.`)
  }
  return NO_EVENTS
}

/** Starts the subscriptions of a first order that was paid, or moves the one of a renewal on. */
export async function followPayment(tx: Tx, context: StoreContext, order: RecurringOrder) {
  if (order.recurring === null) return NO_EVENTS
  for (const row of await q.lockOfOrder(tx, context.store.id, order.id)) {
    const moves = order.recurring === 'first' ? canStart(row) : isWaitingFor(row, order)
    await (moves ? beginPeriod : payTooLate)(tx, context, order, row)
  }
  return NO_EVENTS
}

async function beginPeriod(
  tx: Tx,
  context: StoreContext,
  order: RecurringOrder,
  row: q.SubscriptionRow,
): Promise<void> {
  const { store, now } = context
  const isFirst = order.recurring === 'first'
  const { period, ...change } = isFirst ? started(row, now) : renewed(row)
  const times = { period_start: period.start, period_end: period.end }
  await q.updateBills(tx, store.id, { ...paidBill(order, now), ...times }, row.id)
  // The buyer of an unpaid order can change.
  const owner = isFirst && {
    customer_id: order.customer.id,
    payment_method: renewalMethod(order.payment_method),
  }
  await q.updateSubscription(tx, store.id, row.id, { ...change, ...owner, now })
  if (!sellsLicense(order, row)) return
  const { order_item_id, id: subscription_id } = row
  const from = isFirst ? null : row.current_period_end
  await renewLicenses(tx, context, { order_item_id, subscription_id, from, until: period.end })
}

/** The subscription has ended; a renewal that waited for its payment waits no more. */
async function payTooLate(
  tx: Tx,
  { store, now }: StoreContext,
  order: RecurringOrder,
  row: q.SubscriptionRow,
): Promise<void> {
  await q.updateBills(tx, store.id, paidBill(order, now), row.id)
  if (row.open_invoice_id !== order.id) return
  const closed = { open_invoice_id: null, due_at: null }
  await q.updateSubscription(tx, store.id, row.id, { ...closed, now })
}

const paidBill = ({ id }: RecurringOrder, now: string) =>
  ({ order_id: id, status: 'paid', paid_at: now }) as const

const isWaitingFor = (row: q.SubscriptionRow, { id }: RecurringOrder): boolean =>
  isLive(row) && row.open_invoice_id === id

/** Nothing is known yet of how renewals of a free first order are paid. */
const renewalMethod = (method: string | null): string =>
  method === null || method === 'free' ? 'manual' : method

/** A renewal order has one line; it stands for the line of the first order. */
const sellsLicense = (
  { items, recurring }: RecurringOrder,
  { order_item_id }: q.SubscriptionRow,
): boolean => {
  const item = recurring === 'first' ? items.find(({ id }) => id === order_item_id) : items[0]
  return item?.delivery_type === 'license'
}

/** A full refund of the first order cancels; one of a renewal only marks its payment. */
export async function followRefund(
  tx: Tx,
  { store, now }: StoreContext,
  order: RecurringOrder,
  { full }: { full: boolean },
) {
  if (order.recurring === null || !full) return NO_EVENTS
  const rows = await q.lockOfOrder(tx, store.id, order.id)
  await q.updateBills(tx, store.id, { order_id: order.id, status: 'refunded' })
  if (order.recurring !== 'first') return NO_EVENTS
  for (const row of rows.filter(isLive)) {
    const { open_invoice_id } = row
    const change = ended('cancelled', row, now)
    // A renewal that waits for its payment is cancelled by the job, at once.
    const left = open_invoice_id ? { open_invoice_id, due_at: now } : {}
    await q.updateSubscription(tx, store.id, row.id, { ...change, ...left, now })
  }
  return NO_EVENTS
}

/** An order that ended unpaid ends its subscriptions, expired or cancelled as it is itself. */
export async function followEnd(tx: Tx, { store, now }: StoreContext, order: RecurringOrder) {
  if (order.recurring === null) return NO_EVENTS
  const status = order.status === 'cancelled' ? 'cancelled' : 'expired'
  await q.updateBills(tx, store.id, { order_id: order.id, status: 'failed' })
  for (const row of await q.lockOfOrder(tx, store.id, order.id)) {
    const isWaiting =
      order.recurring === 'first' ? row.status === 'pending' : row.open_invoice_id === order.id
    if (!isWaiting) continue
    const change =
      row.status === 'cancelled' ? ended('cancelled', row, now) : ended(status, row, now)
    await q.updateSubscription(tx, store.id, row.id, { ...change, now })
  }
  return NO_EVENTS
}
