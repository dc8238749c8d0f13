import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { mintForOrder } from '../../licensing/index.ts'
import { selectFiled } from '../content/index.ts'
import { addSpent } from '../customers/index.ts'
import { takeStock } from '../stock/index.ts'
import { changeOrders } from './change-order.ts'
import { completed } from './complete-order.ts'
import { PAID, runEffects } from './effects.ts'
import type { Payment } from './payment-schema.ts'
import { recordDeliveries } from './queries/deliveries.ts'
import { type ItemRow, selectItemsOf } from './queries/items.ts'
import type { OrderChange } from './queries/orders.ts'
import { insertPayments } from './queries/payments.ts'
import type { Order, Status, StoredOrder } from './schema.ts'

/** An order that has just been paid in full. Its row is locked, or new. */
export interface PayableOrder {
  id: string
  currency: string
  customer_id: number
  paid_cents: number
  /** The amount that was refunded after the order had expired, and before it was paid late. */
  refunded_cents: number
  payment_method: string | null
  recurring: StoredOrder['recurring']
}

/**
 * The payment that makes the order fully paid. One that is recorded already adds only its amount.
 */
export interface FullPayment {
  payment: Pick<Payment, 'kind' | 'status' | 'amount_cents'> & { id?: number }
  /** Events to emit before the completion. */
  events?: readonly NewEvent[]
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
  if (!after) throw new Error(`Order ${order.id} was not settled.`)
  return after
}

/**
 * Delivers fully paid orders of different customers: claims and delivers stock keys, and completes the
 * orders of which nothing is missing. An order that waits for stock or for the seller stays `paid`.
 */
export async function payAllInFull(
  tx: Tx,
  context: StoreContext,
  paidOrders: readonly FullyPaidOrder[],
): Promise<Order[]> {
  const { store, now } = context
  const fresh = paidOrders.filter(({ payment }) => payment.id === undefined)
  await insertPayments(
    tx,
    store.id,
    fresh.map(({ order, payment }) => paymentRow(context, order, payment)),
  )
  const spent = paidOrders.map(({ order, payment }) => ({
    customer_id: order.customer_id,
    order_id: order.id,
    cents: order.paid_cents + payment.amount_cents - order.refunded_cents,
  }))
  await addSpent(tx, store.id, { now, spent })
  const { complete, events: stockEvents } = await deliver(
    tx,
    context,
    paidOrders.map(({ order }) => order),
  )
  const changes = paidOrders.map((item) => ({
    id: item.order.id,
    change: changeOf(item, complete.has(item.order.id), now),
  }))
  const orders = await changeOrders(tx, context, changes)
  const done: NewEvent[] = []
  const paid: NewEvent[] = []
  for (const after of orders) {
    paid.push(...(await runEffects(PAID, tx, context, [after, undefined])))
    if (complete.has(after.id)) done.push(...(await completed(tx, context, after)))
  }
  const before = paidOrders.flatMap((item) => item.events ?? [])
  await context.emit(tx, [...before, ...done, ...stockEvents, ...paid])
  return orders
}

function changeOf({ order, payment }: FullyPaidOrder, complete: boolean, now: string): OrderChange {
  const path: Status[] = complete ? ['paid', 'completed'] : ['paid']
  return {
    status: complete ? 'completed' : 'paid',
    steps: path.map((status) => ({ status, reason: null })),
    paid_cents: order.paid_cents + payment.amount_cents,
    ...(order.refunded_cents > 0 && { refund_status: 'partial' }),
    payment_method: payment.kind === 'free' ? 'free' : (order.payment_method ?? payment.kind),
    expires_at: null,
    paid_at: now,
    ...(complete && { completed_at: now }),
  }
}

/** Delivery types that are delivered with the payment: stock keys, license keys and files. */
const AT_ONCE: ReadonlySet<string> = new Set(['serial', 'license', 'file'])

interface Handed {
  /** Orders of which nothing is missing. */
  complete: Set<string>
  events: NewEvent[]
}

/** Delivers all that can be delivered now. */
async function deliver(
  tx: Tx,
  context: StoreContext,
  orders: readonly PayableOrder[],
): Promise<Handed> {
  const { store, now } = context
  const ids = orders.map((order) => order.id)
  const items = await selectItemsOf(tx, store.id, ids)
  const { lines, events } = await takeStock(
    tx,
    context,
    items.map((item) => ({
      ...item,
      held: item.reserved,
      serial: item.delivery_type === 'serial',
    })),
  )
  const bare = await linesWithoutFiles(tx, context, items)
  const deliveries = items.map((item, at) => ({
    order_id: item.order_id,
    order_item_id: item.id,
    product_id: item.product_id,
    product_hash: item.product_hash,
    variant_id: item.variant_id,
    type: item.delivery_type,
    delivered: AT_ONCE.has(item.delivery_type) && !bare.has(item) && (lines[at]?.served ?? false),
    key_ids: lines[at]?.keyIds ?? [],
  }))
  for (const { id, recurring } of orders) {
    const licenses = items
      .filter(
        (item, at) => item.order_id === id && item.delivery_type === 'license' && lines[at]?.served,
      )
      .map(({ id: order_item_id, ...item }) => ({ order_item_id, ...item }))
    // A renewal extends the keys that its first order made.
    if (licenses.length > 0 && recurring !== 'renewal')
      await mintForOrder(tx, context, id, licenses)
  }
  // A parcel is not a delivery. It is shipped, and completes the order through its fulfillment.
  const handed = deliveries.filter((item) => item.type !== 'physical')
  const served = items.filter((_, at) => lines[at]?.served).map((item) => item.id)
  await recordDeliveries(tx, store.id, { now, deliveries: handed, served })
  const missing = new Set(deliveries.flatMap((item) => (item.delivered ? [] : item.order_id)))
  return { complete: new Set(ids.filter((id) => !missing.has(id))), events }
}

/** Returns the lines whose files do not exist yet. These lines wait for the seller. */
async function linesWithoutFiles(tx: Tx, { store }: StoreContext, items: readonly ItemRow[]) {
  const lines = items.filter((item) => item.delivery_type === 'file')
  const ids = lines.map((line) => line.variant_id)
  const filed = await selectFiled(tx, store.id, ids)
  return new Set(lines.filter((line) => !filed.has(line.variant_id)))
}

const paymentRow = (
  { now, audit }: StoreContext,
  order: PayableOrder,
  payment: FullPayment['payment'],
) => ({
  order_id: order.id,
  kind: payment.kind,
  status: payment.status,
  amount_cents: payment.amount_cents,
  currency: order.currency,
  reference: null,
  proof_text: null,
  proof_url: null,
  note: null,
  reviewed_at: payment.status === 'approved' ? now : null,
  actor: audit.origin.actor,
  reviewed_by: null,
  created_at: now,
})
