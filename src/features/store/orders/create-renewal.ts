import type { Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { reserve } from '../stock/index.ts'
import { asCreated } from './events.ts'
import type { Line } from './lines.rules.ts'
import { insertOrder } from './queries/orders.ts'
import { selectRenewed } from './queries/renewals.ts'
import type { StoredOrder } from './schema.ts'

/** A line of an order that is bought again, at the price that was fixed when it was first bought. */
export interface RenewedLine {
  order_item_id: number
  customer_id: number
  quantity: number
  unit_price_cents: number
  discount_cents: number
  payment_method: string | null
}

/**
 * Makes the order of a renewal: the same variant to the same address, at the fixed price and without a
 * coupon. It holds stock like any order, or refuses with OUT_OF_STOCK, and has no expiry of its own.
 */
export async function createRenewal(
  tx: Tx,
  context: StoreContext,
  renewed: RenewedLine,
): Promise<StoredOrder> {
  const { store, now } = context
  const { unit_price_cents, quantity, discount_cents } = renewed
  const before = found(
    await selectRenewed(tx, store.id, renewed.order_item_id, renewed.customer_id),
    'Order item',
  )
  const { customer, shipping_cents, shipping, shipping_address, source, ...item } = before
  const subtotal_cents = unit_price_cents * quantity
  const total_cents = subtotal_cents - discount_cents
  const line: Line = { ...item, quantity, unit_price_cents, discount_cents, total_cents }
  const isPhysical = item.delivery_type === 'physical'
  const { held, events } = await reserve(tx, context, [line], { paid_at_once: false })
  const shipped = isPhysical ? shipping_cents : 0
  const order = await insertOrder(
    tx,
    store.id,
    {
      id: newId('ord_', Date.parse(now)),
      fulfillment_status: isPhysical ? 'unfulfilled' : 'not_required',
      source,
      currency: store.currency,
      subtotal_cents,
      discount_cents,
      shipping_cents: shipped,
      total_cents: total_cents + shipped,
      payment_method: renewed.payment_method,
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
    },
    [{ ...line, reserved: held[0] ?? 0 }],
  )
  await context.emit(tx, [asCreated(order), ...events])
  return order
}
