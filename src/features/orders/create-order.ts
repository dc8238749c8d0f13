import { inTransaction, type Tx } from '../../db/database.ts'
import type { NewEvent } from '../../events/ledger.ts'
import { StoreError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Shop } from '../../shop.ts'
import { reserve } from '../stock/index.ts'
import { asCreated, asNewCustomer } from './events.ts'
import {
  checkSellLimits,
  checkShipping,
  type Line,
  planLines,
  type Sellable,
  totalsOf,
} from './lines.rules.ts'
import * as customers from './queries/customers.ts'
import * as items from './queries/items.ts'
import * as q from './queries/orders.ts'
import type { NewOrder, Order } from './schema.ts'
import { settle } from './settle.ts'
import { expiryOf } from './status.rules.ts'

/**
 * Takes an order: prices it, makes the customer, holds the stock, and tells of it. What costs nothing,
 * or is marked as paid, is delivered at once.
 */
export function createOrder(shop: Shop, sent: NewOrder): Promise<Order> {
  checkCodes(sent)
  return inTransaction(shop.db, async (tx) => {
    const sellables = await items.selectSellables(tx, shop.store.id, sent.items)
    const lines = planLines(sent, sellables)
    checkShipping(lines, sent)

    const buyer = await customers.upsertCustomer(tx, shop.store.id, {
      ...sent.customer,
      now: shop.now,
    })
    await checkLimits(tx, shop, sent, sellables, buyer.id)
    const { held, events } = await reserve(tx, shop, lines)

    const id = newId('ord_', Date.parse(shop.now))
    const holding = lines.map((line, at) => ({ ...line, reserved: held[at] ?? 0 }))
    const row = orderRow(shop, sent, { id, lines, buyer })
    const order = await q.insertOrder(tx, shop.store.id, row, holding)
    const told = [...(buyer.is_new ? [asNewCustomer(buyer)] : []), asCreated(order), ...events]
    return payAtOnce(tx, shop, { order, sent, told })
  })
}

/** Coupons cannot be made in this version, so no code is one. */
function checkCodes({ coupon_code }: NewOrder) {
  if (coupon_code === undefined) return
  const details = { field: 'coupon_code', reason: 'not_found' }
  throw new StoreError('COUPON_INVALID', 'There is no coupon with this code.', details)
}

async function checkLimits(
  tx: Tx,
  { store }: Shop,
  { items: sent }: NewOrder,
  ...[sellables, customerId]: [readonly (Sellable | undefined)[], number]
) {
  const limited = sellables.flatMap((one) =>
    one && one.sell_limit !== null ? [one.product_id] : [],
  )
  if (limited.length === 0) return
  checkSellLimits(sent, sellables, await items.countBought(tx, store.id, customerId, limited))
}

interface Parts {
  id: string
  lines: readonly Line[]
  buyer: customers.Buyer
}

function orderRow(
  { store, now }: Shop,
  sent: NewOrder,
  { id, lines, buyer }: Parts,
): q.NewOrderRow {
  return {
    ...totalsOf(lines),
    id,
    fulfillment_status: lines.some((line) => line.delivery_type === 'physical')
      ? 'unfulfilled'
      : 'not_required',
    source: sent.source,
    currency: store.currency,
    payment_method: sent.payment_method ?? null,
    customer_id: buyer.id,
    customer_email: buyer.email,
    customer_name: sent.customer.name ?? buyer.name,
    customer_country: sent.customer.country ?? buyer.country,
    shipping_address: sent.shipping_address ?? null,
    custom_fields: sent.custom_fields ?? {},
    metadata: sent.metadata ?? {},
    ip: sent.ip ?? null,
    user_agent: sent.user_agent ?? null,
    return_url: sent.return_url ?? null,
    expires_at: expiryOf(now, store.order_expiry_minutes),
    created_at: now,
  }
}

interface Taken {
  order: Order
  sent: NewOrder
  told: NewEvent[]
}

async function payAtOnce(tx: Tx, shop: Shop, { order, sent, told }: Taken): Promise<Order> {
  if (order.total_cents > 0 && !sent.mark_paid) {
    await shop.emit(tx, told)
    return order
  }
  const kind = order.total_cents === 0 ? 'free' : 'manual'
  return settle(
    tx,
    shop,
    { ...order, customer_id: order.customer.id },
    {
      payment: {
        kind,
        status: kind === 'free' ? 'succeeded' : 'approved',
        amount_cents: order.total_cents,
      },
      told,
    },
  )
}
