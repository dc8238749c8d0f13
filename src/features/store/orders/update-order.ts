import { inTransaction, type Tx } from '../../../db/database.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { invalid, invalidState, requireRecord } from '../../../kernel/errors.ts'
import { stateText } from '../../../kernel/state-text.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Buyer, customerCreatedEvent, selectBalanceOfOrder } from '../customers/index.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { zoneIdFor } from '../shipping/index.ts'
import { changeOrder } from './change-order.ts'
import { checkLimits } from './create-order.ts'
import * as q from './queries/index.ts'
import type { Order, OrderPatch } from './schema.ts'
import { readOrder } from './show-order.ts'
import { UNPAID_STATUSES } from './status.rules.ts'

/**
 * Changes an order: its note and metadata at any time, its buyer and address while it is unpaid.
 */
export function updateOrder(context: StoreContext, id: string, patch: OrderPatch): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await q.lockOrder(tx, context.store.id, id), 'Order')
    const former = await readOrder(context, tx, id)
    if (isEmptyChange(patch)) return former
    context.audit.reportChange({ ...former, customer_email: order.customer_email }, patch)
    const { customer_email, shipping_address } = patch
    if (customer_email !== undefined || shipping_address !== undefined) checkUnpaid(order)
    if (shipping_address !== undefined) await checkAddress(tx, context, order, shipping_address)
    const buyer =
      customer_email === undefined
        ? undefined
        : await moveToCustomer(tx, context, order, customer_email)
    const after = await changeOrder(tx, context, id, {
      ...columnsOf(patch),
      ...(buyer && { customer_id: buyer.id, customer_email: buyer.email }),
    })
    if (buyer) await recordNewBuyer(tx, context, id, buyer)
    return after
  })
}

const columnsOf = ({ note, metadata, shipping_address }: OrderPatch) => ({
  ...(note !== undefined && { note }),
  ...(metadata && { metadata: JSON.stringify(metadata) }),
  ...(shipping_address !== undefined && {
    shipping_address: shipping_address && JSON.stringify(shipping_address),
  }),
})

function checkUnpaid({ status }: q.LockedOrder): void {
  if (UNPAID_STATUSES.includes(status)) return
  const message = `This order ${stateText(status)}. Only its note and metadata can be changed.`
  throw invalidState(status, message)
}

/** Refuses an address outside the zone of the shipping rate, and the removal of a required address. */
async function checkAddress(
  tx: Tx,
  { store }: StoreContext,
  { zone_id, fulfillment_status }: q.LockedOrder,
  address: Order['shipping_address'],
): Promise<void> {
  if (!address) {
    if (fulfillment_status === 'not_required') return
    throw invalid(
      'shipping_address',
      'This order is shipped, so it needs an address. Send one, or leave this out.',
    )
  }
  if (zone_id === null) return
  if ((await zoneIdFor(tx, store.id, address)) === zone_id) return
  throw invalid(
    'shipping_address',
    'This address is in another shipping zone. Cancel the order and create a new one.',
  )
}

/**
 * Checks that an order may be moved to the customer with this email, moves its coupon use, and returns the
 * customer.
 */
async function moveToCustomer(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  email: string,
): Promise<Buyer> {
  const { store } = context
  const buyer = await ORDER_LIFE.moved.customers.admit(tx, context, { email })
  if (buyer.id === order.customer_id) return buyer
  if ((await selectBalanceOfOrder(tx, store.id, order.id)) > 0) {
    const message =
      'A part of this order was paid from the balance of its customer. Cancel and refund it, then create a new order.'
    throw invalidState(order.status, message)
  }
  await checkLimits(tx, context, await q.selectLimitedItems(tx, store.id, order.id), buyer.id)
  if (order.has_coupon) await ORDER_LIFE.moved.coupons.moveUse(tx, store.id, order.id, buyer)
  return buyer
}

async function recordNewBuyer(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  buyer: Buyer,
): Promise<void> {
  await q.reindexOrders(tx, context.store.id, [orderId])
  if (buyer.is_new) await context.emit(tx, [customerCreatedEvent(buyer)])
}
