import { inTransaction, type Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { suspendForOrder } from '../../licensing/index.ts'
import { changeSpent, creditBalance, selectBalanceOfOrder } from '../customers/index.ts'
import { returnStock } from '../stock/index.ts'
import { changeOrder, moneyOf } from './change-order.ts'
import { REFUNDED, runEffects } from './effects.ts'
import { asRefunded } from './events.ts'
import type { NewRefund, Refund } from './payment-schema.ts'
import { revokeDeliveries } from './queries/deliveries.ts'
import { addRestocked, clearReserved, selectItems } from './queries/items.ts'
import { type LockedOrder, lockOrder } from './queries/orders.ts'
import { insertRefund, rejectWaiting } from './queries/payments.ts'
import type { Order } from './schema.ts'
import { checkRefundable, planRefund, type Refunding, shareOfBalance } from './status.rules.ts'

export interface RefundOnOrder {
  refund: Refund
  order: Order
}

/**
 * Refunds are read with their order, so their number is limited. The refund that leaves nothing is
 * never refused for this limit.
 */
const REFUNDS_MAX = 100

/**
 * Records a refund. It moves no money. A refund of all that is left ends the order, and takes back
 * its deliveries (decisions 46 and 95). An order that ended before it was paid keeps its status
 * (decision 123).
 */
export function refundOrder(
  context: StoreContext,
  id: string,
  body: NewRefund,
): Promise<RefundOnOrder> {
  return inTransaction(context.db, async (tx) => {
    const order = found(await lockOrder(tx, context.store.id, id), 'Order')
    checkRefundable(order)
    const plan = planRefund(order, body.amount_cents)
    if (body.restock && !plan.ends) throw invalid('restock', whyNotRestocked(plan))
    const refund = await record(tx, context, { order, body, plan })
    const events = plan.ends ? await takeBack(tx, context, id, body.restock) : []
    const after = await changeOrder(tx, context, id, {
      status: plan.ends ? 'refunded' : order.status,
      steps: plan.ends ? [{ status: 'refunded', reason: body.reason }] : [],
      refund_status: plan.refund_status,
      refunded_cents: plan.refunded_cents,
    })
    if (plan.refund_status === 'partial' && after.refunds.length > REFUNDS_MAX) throw tooMany()
    context.audit.changed(order, moneyOf(after))
    const detail = { refund, request: body, full: plan.ends }
    const effects = await runEffects(REFUNDED, tx, context, [after, detail])
    await context.emit(tx, [asRefunded(after, refund), ...events, ...effects])
    return { refund, order: after }
  })
}

const whyNotRestocked = ({ refund_status }: Refunding) =>
  refund_status === 'full'
    ? 'This order ended before it was paid; its stock has been given back already.'
    : 'Goods come back with the refund that leaves nothing of the payment.'

const tooMany = () =>
  invalid(
    'amount_cents',
    `An order has ${REFUNDS_MAX} partial refunds at most; leave this out to refund all that is left.`,
  )

interface Recorded {
  order: LockedOrder
  body: NewRefund
  plan: Refunding
}

async function record(tx: Tx, context: StoreContext, { order, body, plan }: Recorded) {
  const { store, now, audit } = context
  const { customer_id, id, currency } = order
  const { reason, note, restock } = body
  const { amount_cents: cents } = plan
  // Payments of an order that was never paid in full did not count as spent.
  const of_sale = order.paid_at !== null
  if (of_sale) await changeSpent(tx, store.id, customer_id, { cents: -cents, now })
  const credit = { orderId: id, cents: await centsToBalance(tx, context, { order, body, plan }) }
  if (credit.cents > 0 && !(await creditBalance(tx, context, customer_id, credit))) {
    throw invalid('to_balance', `The balance cannot exceed ${Number.MAX_SAFE_INTEGER}.`)
  }
  audit.changed(null, { to_balance: credit.cents > 0 })
  const row = { order_id: id, amount_cents: cents, currency, reason, note, restock, of_sale }
  return insertRefund(tx, store.id, { ...row, actor: audit.origin.actor, created_at: now })
}

/** The part of a refund that goes to the customer's balance (decision 250). */
async function centsToBalance(
  tx: Tx,
  { store }: StoreContext,
  { order, body, plan }: Recorded,
): Promise<number> {
  const { amount_cents: cents } = plan
  if (body.to_balance !== undefined || cents === 0) return body.to_balance ? cents : 0
  const fromBalance = await selectBalanceOfOrder(tx, store.id, order.id)
  return shareOfBalance({ cents, left: order.paid_cents - order.refunded_cents, fromBalance })
}

/** Revokes the deliveries of an order, and frees the stock that its waiting lines reserve. */
async function takeBack(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  restock: boolean,
): Promise<NewEvent[]> {
  const items = await selectItems(tx, context.store.id, orderId)
  // Units that a return has put back are in stock already.
  const lines = items.map((item) => ({
    ...item,
    held: item.reserved,
    quantity: item.quantity - item.restocked,
  }))
  const events = await returnStock(tx, context, orderId, { lines, restock })
  const back = lines.filter((line) => line.served && line.quantity > 0)
  if (restock && back.length > 0) await addRestocked(tx, context.store.id, back)
  await clearReserved(
    tx,
    context.store.id,
    items.map((item) => item.id),
  )
  await revokeDeliveries(tx, context.store.id, orderId)
  await suspendForOrder(tx, context, orderId)
  const { actor } = context.audit.origin
  await rejectWaiting(tx, context.store.id, orderId, { now: context.now, actor })
  return events
}
