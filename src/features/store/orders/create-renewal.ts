import type { Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { isChargeable } from './charge-order.ts'
import { orderCreatedEvent } from './events.ts'
import type { OrderLine } from './lines.rules.ts'
import * as q from './queries/index.ts'
import type { StoredOrder } from './schema.ts'
import { unsealOrder } from './show-order.ts'

/** The line of a renewal. Its price was fixed with the first order. */
interface RenewalLine extends q.RenewalRef {
  quantity: number
  unit_price_cents: number
  discount_cents: number
  payment_method: string | null
  /** True if the blocklist refuses orders of the customer: the renewal is not charged (decision 177). */
  is_blocked: boolean
}

/** The reason in the history of a renewal of a customer who is on the blocklist. */
export const BLOCKED_REASON = 'customer_blocked'

/**
 * Creates the orders of renewals: for the same variant and address, at the fixed price, and without a
 * coupon. They reserve stock, and do not expire. Throws OUT_OF_STOCK if one of them cannot reserve
 * its stock; then no order is created.
 */
export async function createRenewals(
  tx: Tx,
  context: StoreContext,
  renewals: readonly RenewalLine[],
): Promise<StoredOrder[]> {
  const { store } = context
  const sources = await q.selectRenewalSources(tx, store.id, renewals)
  const plans = renewals.map((item) =>
    planRenewal(context, item, requireRecord(sources.get(item.order_item_id), 'Order item')),
  )
  const isPaidAtOnce = plans.some(({ row, reason }) => reason === null && isChargeable(row))
  const lines = plans.map(({ line }) => line)
  const { reserved, events } = await ORDER_LIFE.created.stock.reserve(tx, context, lines, {
    isPaidAtOnce,
  })
  const inserted = await q.insertOrders(
    tx,
    store.id,
    plans.map(({ row, line, reason }, index) => ({
      row,
      reason,
      lines: [{ ...line, reserved: reserved[index] ?? 0 }],
    })),
  )
  const orders = await Promise.all(inserted.map((order) => unsealOrder(context, tx, order)))
  await context.emit(tx, [...orders.map(orderCreatedEvent), ...events])
  return orders
}

/** A bundle contains no subscriptions. */
const NO_BUNDLE = {
  bundle_product_id: null,
  bundle_hash: null,
  bundle_name: null,
  bundle_units: null,
} as const

interface PlannedRenewal {
  row: q.NewOrderRow
  line: OrderLine
  /** The reason in the history; null for an ordinary renewal. */
  reason: string | null
}

function planRenewal(
  { store, now }: StoreContext,
  { unit_price_cents, quantity, discount_cents, payment_method, is_blocked }: RenewalLine,
  {
    customer,
    shipping_cents,
    shipping,
    shipping_address,
    source,
    language,
    by_user,
    ...item
  }: q.RenewalSource,
): PlannedRenewal {
  const subtotal_cents = unit_price_cents * quantity
  const total_cents = subtotal_cents - discount_cents
  const isPhysical = item.delivery_type === 'physical'
  const shippingCents = isPhysical ? shipping_cents : 0
  const row = {
    id: newId('ord_', Date.parse(now)),
    fulfillment_status: isPhysical ? 'unfulfilled' : 'not_required',
    source,
    currency: store.currency,
    subtotal_cents,
    discount_cents,
    shipping_cents: shippingCents,
    total_cents: total_cents + shippingCents,
    payment_method,
    customer_id: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_country: customer.country,
    shipping_address: isPhysical ? shipping_address : null,
    coupon: null,
    affiliate: null,
    shipping: isPhysical ? shipping : null,
    custom_fields: {},
    metadata: {},
    expires_at: null,
    recurring: 'renewal',
    language,
    by_user,
    created_at: now,
  } as const
  const line = { ...item, ...NO_BUNDLE, quantity, unit_price_cents, discount_cents, total_cents }
  return { row, line, reason: is_blocked ? BLOCKED_REASON : null }
}
