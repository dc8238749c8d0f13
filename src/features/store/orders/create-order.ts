import { inTransaction, type Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { invalid } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { attribute } from '../affiliates/index.ts'
import { admitCustomer } from '../blocklist/index.ts'
import { openBundles } from '../bundles/index.ts'
import { couponInvalid, judgeCoupon, takeCoupon } from '../coupons/index.ts'
import { asNewCustomer, type Buyer, debitBalance, selectCustomer } from '../customers/index.ts'
import { connectedMethods, findSellables, type Wanted } from '../products/index.ts'
import { priceShipping } from '../shipping/index.ts'
import { refuseSoldOut, reserve } from '../stock/index.ts'
import { CREATED, runEffects } from './effects.ts'
import { asCreated } from './events.ts'
import {
  checkMethod,
  checkSellLimits,
  checkShipping,
  type Limited,
  type Line,
  lessShares,
  planLines,
  type Totals,
  totalsOf,
} from './lines.rules.ts'
import { payInFull } from './pay-in-full.ts'
import * as items from './queries/items.ts'
import * as q from './queries/orders.ts'
import type { NewOrder, Order, StoredOrder } from './schema.ts'
import { expiryOf } from './status.rules.ts'

/**
 * Creates an order: prices it, creates the customer, reserves the stock, and emits the events. An order that
 * costs nothing, is marked as paid, or is paid from the balance is delivered at once.
 */
export function createOrder(context: StoreContext, body: NewOrder): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const named = await findSellables(tx, context.store.id, body.items)
    const whole = planLines(named)
    const wanted = await openBundles(tx, context.store.id, named)
    const planned = wanted === named ? whole : planLines(wanted)
    // An order that the seller marks as paid was paid already, by any method (decision 125).
    if (body.payment_method !== undefined && !body.mark_paid)
      checkMethod(wanted, body.payment_method, connectedMethods(context.store.livemode))
    const { lines, coupon } = await discount(tx, context, body, { lines: planned, wanted })
    checkShipping(lines, body, context.store.features)
    const { shipping_cents, shipping } = await priceRate(tx, context, body, { lines, wanted })
    refuseSoldOut(wanted, lines)

    const buyer = await admitCustomer(tx, context, body.customer, body.ip)
    await checkLimits(tx, context, wanted, buyer.id)
    const totals = totalsOf(lines, shipping_cents)
    const paid_at_once = isPaidAtOnce(totals, body)
    const { held, events: stockEvents } = await reserve(tx, context, lines, { paid_at_once })

    const id = newId('ord_', Date.parse(context.now))
    if (coupon) {
      const use = { coupon_id: coupon.id, order_id: id, customer_id: buyer.id }
      await takeCoupon(tx, context.store.id, use)
    }
    const holding = lines.map((line, at) => ({ ...line, reserved: held[at] ?? 0 }))
    const recurring = wanted.some((item) => item.product_kind === 'subscription') ? 'first' : null
    const { affiliate_code } = body
    const affiliate = await attribute(tx, context, { affiliate_code, coupon })
    const parts = { id, lines, buyer, totals, coupon, affiliate, shipping, recurring } as const
    const row = orderRow(context, body, parts)
    const order = await q.insertOrder(tx, context.store.id, row, holding)
    const effects = await runEffects(CREATED, tx, context, [order, body])
    const created = [asCreated(order), ...stockEvents, ...effects]
    const events = [...(buyer.is_new ? [asNewCustomer(buyer)] : []), ...created]
    return payAtOnce(tx, context, { order, body, events })
  })
}

/** The lines, and the variants that their items name. */
interface Planned {
  lines: readonly Line[]
  wanted: readonly Wanted[]
}

interface Discounted {
  lines: readonly Line[]
  coupon?: AppliedCoupon
}

type AppliedCoupon = Coupon & { id: number; affiliate_partner_id: string | null }
type Coupon = NonNullable<Order['coupon']>

/** Returns the lines less the discount of the coupon that the order names, if any (decision 96). */
async function discount(
  tx: Tx,
  context: StoreContext,
  body: NewOrder,
  { lines, wanted }: Planned,
): Promise<Discounted> {
  if (body.coupon_code === undefined) return { lines }
  const { coupon, reason, shares } = await judgeCoupon(context, tx, {
    code: body.coupon_code,
    email: body.customer.email,
    payment_method: body.payment_method ?? (body.mark_paid ? 'manual' : undefined),
    lines: lines.map((line, at) => ({
      ...line,
      accepts_coupons: wanted[at]?.accepts_coupons ?? false,
    })),
  })
  if (!coupon || reason) throw couponInvalid(reason ?? 'not_found')
  const { id, code, type, affiliate_partner_id } = coupon
  const discount_cents = shares.reduce((sum, share) => sum + share, 0)
  return {
    lines: lessShares(lines, shares),
    coupon: { id, code, type, affiliate_partner_id, discount_cents },
  }
}

/**
 * Prices the shipping rate that the order names. Without a rate or an address, shipping costs 0.
 */
async function priceRate(
  tx: Tx,
  { store }: StoreContext,
  body: NewOrder,
  { lines, wanted }: Planned,
) {
  const { shipping_rate_id: rate_id, shipping_address: to } = body
  if (rate_id === undefined || !to) return { shipping_cents: 0, shipping: null }
  const { total_cents } = totalsOf(lines)
  return priceShipping(tx, store.id, {
    rate_id,
    to,
    goods: wanted,
    subtotal_cents: total_cents,
  })
}

/** Refuses units above the number that a product allows one customer in all. */
export async function checkLimits(
  tx: Tx,
  { store }: StoreContext,
  wanted: readonly Limited[],
  customerId: number,
) {
  const limited = wanted.flatMap((item) => (item.sell_limit === null ? [] : [item.product_id]))
  if (limited.length === 0) return
  checkSellLimits(wanted, await items.countBought(tx, store.id, customerId, limited))
}

interface Parts {
  id: string
  lines: readonly Line[]
  buyer: Buyer
  totals: Totals
  coupon: AppliedCoupon | undefined
  affiliate: Order['affiliate']
  shipping: Order['shipping']
  recurring: 'first' | null
}

function orderRow(
  { store, now }: StoreContext,
  body: NewOrder,
  { id, lines, buyer, totals, coupon, affiliate, shipping, recurring }: Parts,
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
    ip: body.ip ?? null,
    user_agent: body.user_agent ?? null,
    return_url: body.return_url ?? null,
    expires_at: expiryOf(now, store.order_expiry_minutes),
    recurring,
    created_at: now,
  }
}

interface Taken {
  order: StoredOrder
  body: NewOrder
  events: NewEvent[]
}

const isPaidAtOnce = (
  { total_cents }: Pick<Totals, 'total_cents'>,
  { mark_paid, payment_method }: NewOrder,
) => total_cents === 0 || mark_paid || payment_method === 'balance'

async function payAtOnce(
  tx: Tx,
  context: StoreContext,
  { order, body, events }: Taken,
): Promise<Order> {
  if (!isPaidAtOnce(order, body)) {
    await context.emit(tx, events)
    return order
  }
  const { total_cents: amount_cents } = order
  const kind = amount_cents === 0 ? 'free' : body.mark_paid ? 'manual' : 'balance'
  if (kind === 'balance') await payFromBalance(tx, context, order)
  const payment = {
    kind,
    status: kind === 'manual' ? 'approved' : 'succeeded',
    amount_cents,
  } as const
  return payInFull(tx, context, { ...order, customer_id: order.customer.id }, { payment, events })
}

async function payFromBalance(tx: Tx, context: StoreContext, order: Order): Promise<void> {
  const { total_cents: cents, customer } = order
  const isPaid = await debitBalance(tx, context, customer.id, { orderId: order.id, cents })
  if (isPaid) return
  const available = (await selectCustomer(tx, context.store, customer.id))?.balance_cents ?? 0
  const why = `The customer's balance is ${available}, and the order comes to ${cents}. Use another method, and pay a part from the balance with POST /orders/{id}/balance-payments.`
  throw invalid('payment_method', why, { available })
}
