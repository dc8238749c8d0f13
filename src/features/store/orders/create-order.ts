import { inTransaction, type Tx } from '../../../db/database.ts'
import { newId } from '../../../kernel/ids.ts'
import { connectedMethods } from '../../../kernel/payment-methods.ts'
import type { StoreContext } from '../../../store-context.ts'
import { findReferrer } from '../affiliates/index.ts'
import type { NewUse } from '../coupons/index.ts'
import { type Buyer, customerCreatedEvent } from '../customers/index.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { priceShipping } from '../shipping/index.ts'
import { refuseSoldOut } from '../stock/index.ts'
import { orderCreatedEvent } from './events.ts'
import { insertPaidOrder, type PlannedOrder } from './insert-paid-order.ts'
import {
  checkMethod,
  checkSellLimits,
  checkShipping,
  type LimitedItem,
  type OrderLine,
  type OrderTotals,
  totalsOf,
} from './lines.rules.ts'
import { mailReceived } from './order-mail.ts'
import { type AppliedCoupon, type PricedContents, priceContents } from './price-contents.ts'
import * as q from './queries/index.ts'
import type { NewOrder, Order } from './schema.ts'
import { unsealOrder } from './show-order.ts'
import { expiryOf } from './status.rules.ts'

/**
 * Creates an order: prices it, creates its customer if the email is new, reserves stock, and emits
 * the events. An order that is free, is marked as paid, or is paid from the balance is delivered at
 * once.
 */
export function createOrder(context: StoreContext, body: NewOrder): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const { lines, items, isDiscounted, coupon } = await priceContents(context, tx, {
      items: body.items,
      coupon_code: body.coupon_code,
      email: body.customer.email,
      payment_method: body.payment_method ?? (body.mark_paid ? 'manual' : undefined),
    })
    // An order that the seller marks as paid may have been paid by any method (decision 125).
    if (body.payment_method !== undefined && !body.mark_paid)
      checkMethod(items, body.payment_method, connectedMethods(context.store))
    checkShipping(lines, body, context.store.features)
    const { shipping_cents, shipping } = await priceRate(tx, context, body, { lines, items })
    refuseSoldOut(items, lines)

    const buyer = await ORDER_LIFE.created.customers.admit(tx, context, body.customer, body.ip)
    await checkLimits(tx, context, items, buyer.id)
    const totals = totalsOf(lines, shipping_cents)
    const isPaidAtOnce =
      totals.total_cents === 0 || body.mark_paid || body.payment_method === 'balance'
    const id = newId('ord_', Date.parse(context.now))
    const recurring = items.some((item) => item.product_kind === 'subscription') ? 'first' : null
    const { affiliate_code } = body
    const affiliate = await findReferrer(tx, context, { affiliate_code, coupon })
    const parts = { id, lines, buyer, totals, coupon, affiliate, shipping, recurring } as const
    const planned = {
      row: orderRow(context, body, parts),
      lines,
      seen: items,
      isDiscounted,
      couponUse: coupon && couponUseOf(coupon, parts),
      earlierEvents: buyer.is_new ? [customerCreatedEvent(buyer)] : [],
    }
    return isPaidAtOnce
      ? insertPaidOrder(tx, context, { ...planned, isMarkedPaid: body.mark_paid ?? false })
      : insertUnpaidOrder(tx, context, planned)
  })
}

/** Reserves the stock of an order, and inserts it. */
async function insertUnpaidOrder(
  tx: Tx,
  context: StoreContext,
  { row, lines, seen, isDiscounted, couponUse, earlierEvents }: PlannedOrder,
): Promise<Order> {
  const { reserve } = ORDER_LIFE.created.stock
  const stock = await reserve(tx, context, lines, { isPaidAtOnce: false, seen })
  // Coupons are locked after stock (decision 400).
  if (couponUse) await ORDER_LIFE.created.coupons.use(tx, context.store.id, couponUse)
  const reservedLines = lines.map((line, index) => ({
    ...line,
    reserved: stock.reserved[index] ?? 0,
  }))
  const order = await unsealOrder(
    context,
    tx,
    await q.insertOrder(tx, context.store.id, { row, lines: reservedLines }),
  )
  await ORDER_LIFE.created.subscriptions.create(tx, context, order, isDiscounted)
  await context.emit(tx, [...earlierEvents, orderCreatedEvent(order), ...stock.events])
  await mailReceived(tx, context, order)
  return order
}

const couponUseOf = (coupon: AppliedCoupon, { id, buyer, totals }: OrderParts): NewUse => ({
  coupon_id: coupon.id,
  order_id: id,
  customer_id: buyer.id,
  discount_cents: totals.discount_cents,
})

/** Returns the price of the order's shipping rate. Without a rate or an address it is 0. */
async function priceRate(
  tx: Tx,
  { store }: StoreContext,
  body: NewOrder,
  { lines, items }: Pick<PricedContents, 'lines' | 'items'>,
) {
  const { shipping_rate_id: rate_id, shipping_address: destination } = body
  if (rate_id === undefined || !destination) return { shipping_cents: 0, shipping: null }
  const { total_cents } = totalsOf(lines)
  return priceShipping(tx, store.id, {
    rate_id,
    destination,
    items,
    subtotal_cents: total_cents,
  })
}

/** Refuses an order by which the customer would exceed the sell limit of a product. */
export async function checkLimits(
  tx: Tx,
  { store }: StoreContext,
  items: readonly LimitedItem[],
  customerId: number,
) {
  const limitedIds = items.flatMap((item) => (item.sell_limit === null ? [] : [item.product_id]))
  if (limitedIds.length === 0) return
  checkSellLimits(items, await q.sumBoughtUnits(tx, store.id, customerId, limitedIds))
}

interface OrderParts {
  id: string
  lines: readonly OrderLine[]
  buyer: Buyer
  totals: OrderTotals
  coupon: AppliedCoupon | undefined
  affiliate: Order['affiliate']
  shipping: Order['shipping']
  recurring: 'first' | null
}

function orderRow(
  { store, now, audit }: StoreContext,
  body: NewOrder,
  { id, lines, buyer, totals, coupon, affiliate, shipping, recurring }: OrderParts,
): q.NewOrderRow {
  return {
    ...totals,
    id,
    fulfillment_status: lines.some((line) => line.delivery_type === 'physical')
      ? 'unfulfilled'
      : 'not_required',
    source: body.source,
    currency: store.currency,
    payment_method: body.payment_method ?? null,
    customer_id: buyer.id,
    customer_email: buyer.email,
    customer_name: body.customer.name ?? buyer.name,
    customer_country: body.customer.country ?? buyer.country,
    shipping_address: body.shipping_address ?? null,
    coupon: coupon
      ? { code: coupon.code, type: coupon.type, discount_cents: coupon.discount_cents }
      : null,
    affiliate,
    shipping,
    custom_fields: body.custom_fields ?? {},
    metadata: body.metadata ?? {},
    ip: body.ip,
    user_agent: body.user_agent,
    return_url: body.return_url,
    expires_at: expiryOf(now, store.order_expiry_minutes),
    recurring,
    language: body.language ?? store.language,
    by_user: audit.origin.actor.type === 'user',
    created_at: now,
  }
}
