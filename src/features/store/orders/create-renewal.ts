import type { Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { reserve } from '../stock/index.ts'
import { isChargeable } from './charge-order.ts'
import { asCreated } from './events.ts'
import type { Line } from './lines.rules.ts'
import { insertOrders, type NewOrderRow } from './queries/orders.ts'
import { type Renewed, type RenewedRef, selectRenewed } from './queries/renewals.ts'
import type { StoredOrder } from './schema.ts'

/** A line of an order that is bought again, at the price that was fixed when it was first bought. */
export interface RenewedLine extends RenewedRef {
  quantity: number
  unit_price_cents: number
  discount_cents: number
  payment_method: string | null
}

/**
 * Makes the orders of renewals: the same variant to the same address, at the fixed price and without a
 * coupon. They hold stock like any order, and have no expiry of their own. OUT_OF_STOCK refuses all.
 */
export async function createRenewals(
  tx: Tx,
  context: StoreContext,
  renewed: readonly RenewedLine[],
): Promise<StoredOrder[]> {
  const { store } = context
  const former = await selectRenewed(tx, store.id, renewed)
  const planned = renewed.map((item) =>
    planRenewal(context, item, found(former.get(item.order_item_id), 'Order item')),
  )
  const paid_at_once = planned.some(({ row }) => isChargeable(row))
  const lines = planned.map(({ line }) => line)
  const { held, events } = await reserve(tx, context, lines, { paid_at_once })
  const orders = await insertOrders(
    tx,
    store.id,
    planned.map(({ row, line }, at) => ({ row, lines: [{ ...line, reserved: held[at] ?? 0 }] })),
  )
  await context.emit(tx, [...orders.map(asCreated), ...events])
  return orders
}

interface Planned {
  row: NewOrderRow
  line: Line
}

function planRenewal(
  { store, now }: StoreContext,
  { unit_price_cents, quantity, discount_cents, payment_method }: RenewedLine,
  { customer, shipping_cents, shipping, shipping_address, source, ...item }: Renewed,
): Planned {
  const subtotal_cents = unit_price_cents * quantity
  const total_cents = subtotal_cents - discount_cents
  const isPhysical = item.delivery_type === 'physical'
  const shipped = isPhysical ? shipping_cents : 0
  const row = {
    id: newId('ord_', Date.parse(now)),
    fulfillment_status: isPhysical ? 'unfulfilled' : 'not_required',
    source,
    currency: store.currency,
    subtotal_cents,
    discount_cents,
    shipping_cents: shipped,
    total_cents: total_cents + shipped,
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
    ip: null,
    user_agent: null,
    return_url: null,
    expires_at: null,
    recurring: 'renewal',
    created_at: now,
  } as const
  return { row, line: { ...item, quantity, unit_price_cents, discount_cents, total_cents } }
}
