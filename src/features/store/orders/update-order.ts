import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, invalid, invalidState } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { admitCustomer } from '../blocklist/index.ts'
import { moveCoupon } from '../coupons/index.ts'
import { asNewCustomer, type Buyer, selectBalanceOfOrder } from '../customers/index.ts'
import { zoneIdFor } from '../shipping/index.ts'
import { changeOrder } from './change-order.ts'
import { checkLimits } from './create-order.ts'
import { selectLimited } from './queries/items.ts'
import { indexAnew, type LockedOrder, lockOrder } from './queries/orders.ts'
import type { Order, OrderPatch } from './schema.ts'
import { UNPAID } from './status.rules.ts'

/**
 * Changes the fields of an order that may change: notes at any time, the buyer and the address
 * while it is unpaid (decision 95).
 */
export function updateOrder(context: StoreContext, id: string, patch: OrderPatch): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const order = found(await lockOrder(tx, context.store.id, id), 'Order')
    const { note, metadata, customer_email, shipping_address } = patch
    if (customer_email !== undefined || shipping_address !== undefined) checkUnpaid(order)
    if (shipping_address !== undefined) await checkAddress(tx, context, order, shipping_address)
    const buyer =
      customer_email === undefined ? undefined : await moveTo(tx, context, order, customer_email)
    const after = await changeOrder(tx, context, id, {
      status: order.status,
      steps: [],
      ...(note !== undefined && { note }),
      ...(metadata && { metadata: JSON.stringify(metadata) }),
      ...(shipping_address !== undefined && {
        shipping_address: shipping_address && JSON.stringify(shipping_address),
      }),
      ...(buyer && { customer_id: buyer.id, customer_email: buyer.email }),
    })
    if (buyer) await welcome(tx, context, id, buyer)
    return after
  })
}

function checkUnpaid({ status }: LockedOrder): void {
  if (UNPAID.includes(status)) return
  const why = `This order is ${status}; only its note and metadata can change.`
  throw invalidState(status, why)
}

/** The rate was chosen for a zone, so an order that is shipped stays in it. */
async function checkAddress(
  tx: Tx,
  { store }: StoreContext,
  { zone_id, fulfillment_status }: LockedOrder,
  to: Order['shipping_address'],
): Promise<void> {
  if (!to) {
    if (fulfillment_status === 'not_required') return
    throw invalid('shipping_address', 'This order is shipped; it needs an address.')
  }
  if (zone_id === null) return
  if ((await zoneIdFor(tx, store.id, to)) === zone_id) return
  throw invalid(
    'shipping_address',
    'This address is in another shipping zone; cancel the order and make a new one.',
  )
}

/** Moves an order to the customer with this email, who must be allowed everything that it contains. */
async function moveTo(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
  email: string,
): Promise<Buyer> {
  const { store } = context
  const buyer = await admitCustomer(tx, context, { email })
  if (buyer.id === order.customer_id) return buyer
  if ((await selectBalanceOfOrder(tx, store.id, order.id)) > 0) {
    const why =
      'A part of this order was paid from the balance of its customer. Cancel and refund it, then create a new order.'
    throw invalidState(order.status, why)
  }
  await checkLimits(tx, context, await selectLimited(tx, store.id, order.id), buyer.id)
  if (order.has_coupon) await moveCoupon(tx, store.id, order.id, buyer)
  return buyer
}

async function welcome(tx: Tx, context: StoreContext, id: string, buyer: Buyer): Promise<void> {
  await indexAnew(tx, context.store.id, [id])
  if (buyer.is_new) await context.emit(tx, [asNewCustomer(buyer)])
}
