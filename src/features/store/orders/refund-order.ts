import { inTransaction, type Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { suspendForOrder } from '../../licensing/index.ts'
import { reverseCommission } from '../affiliates/index.ts'
import { addToTotalSpent, creditBalance, selectBalanceOfOrder } from '../customers/index.ts'
import { returnStock } from '../stock/index.ts'
import { cancelRefundedSubscriptions } from '../subscriptions/index.ts'
import { changeOrder, moneyOf } from './change-order.ts'
import { orderRefundedEvent } from './events.ts'
import type { NewRefund, Refund } from './payment-schema.ts'
import { revokeDeliveries } from './queries/deliveries.ts'
import { addRestocked, clearReserved, selectItems } from './queries/items.ts'
import { type LockedOrder, lockOrder } from './queries/orders.ts'
import { insertRefund, rejectPendingReviews, selectRefundedUnits } from './queries/payments.ts'
import { amountOfLines, planRefundedLines } from './refund-lines.rules.ts'
import type { Order } from './schema.ts'
import {
  checkRefundable,
  defaultCentsToBalance,
  planRefund,
  type RefundPlan,
} from './status.rules.ts'

interface RefundAndOrder {
  refund: Refund
  order: Order
}

/**
 * An order is always read with all its refunds, so their number is limited. A refund of the whole
 * remaining amount is allowed beyond this limit.
 */
const REFUNDS_MAX = 100

/** A refund, and the return that it is for with the refunded lines (decision 185). */
type RequestedRefund = NewRefund & { of_return?: { id: number; lines: Refund['items'] } }

/**
 * Records a refund. A refund of the whole remaining amount ends the order, and revokes its deliveries
 * (decisions 46 and 95). An order that ended before it was paid keeps its status (decision 123).
 */
export function refundOrder(
  context: StoreContext,
  id: string,
  body: RequestedRefund,
): Promise<RefundAndOrder> {
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await lockOrder(tx, context.store.id, id), 'Order')
    checkRefundable(order)
    const { plan, lines } = await planRequest(tx, context, { order, body })
    if (body.restock && !plan.endsOrder) throw invalid('restock', restockRefusalText(plan))
    const refund = await recordRefund(tx, context, { order, body, plan, lines })
    const events = plan.endsOrder ? await revokeOrder(tx, context, id, body.restock) : []
    const after = await changeOrder(tx, context, id, {
      status: plan.endsOrder ? 'refunded' : order.status,
      historyEntries: plan.endsOrder ? [{ status: 'refunded', reason: body.reason }] : [],
      refund_status: plan.refund_status,
      refunded_cents: plan.refunded_cents,
    })
    if (plan.refund_status === 'partial' && after.refunds.length > REFUNDS_MAX)
      throw tooManyRefunds()
    context.audit.reportChange(order, moneyOf(after))
    if (plan.endsOrder) await cancelRefundedSubscriptions(tx, context, after)
    await reverseCommission(tx, context, after)
    await context.emit(tx, [orderRefundedEvent(after, refund, body.of_return?.id), ...events])
    return { refund, order: after }
  })
}

/** Plans the amount of a refund, and the lines that it names. */
async function planRequest(
  tx: Tx,
  { store }: StoreContext,
  { order, body }: { order: LockedOrder; body: RequestedRefund },
): Promise<{ plan: RefundPlan; lines: Refund['items'] }> {
  const { amount_cents, items, of_return } = body
  if (!items) return { plan: planRefund(order, amount_cents), lines: of_return?.lines ?? [] }
  const boughtLines = await selectItems(tx, store.id, order.id)
  const refundedUnits = await selectRefundedUnits(tx, store.id, order.id)
  const lines = planRefundedLines(boughtLines, refundedUnits, items)
  return { plan: planRefund(order, amountOfLines(lines, amount_cents)), lines }
}

const restockRefusalText = ({ refund_status }: RefundPlan) =>
  refund_status === 'full'
    ? 'This order ended unpaid, and its stock was returned already. Set restock to false.'
    : 'Only a refund of the whole remaining amount can restock. Set restock to false, or leave amount_cents out.'

const tooManyRefunds = () =>
  invalid(
    'amount_cents',
    `An order has at most ${REFUNDS_MAX} partial refunds. Leave this out to refund the whole remaining amount.`,
  )

interface RefundInput {
  order: LockedOrder
  body: NewRefund
  plan: RefundPlan
  lines: Refund['items']
}

async function recordRefund(tx: Tx, context: StoreContext, input: RefundInput) {
  const { order, body, plan, lines } = input
  const { store, now, audit } = context
  const { customer_id, id, currency } = order
  const { reason, note, restock } = body
  const { amount_cents: cents } = plan
  // Payments count as spent by the customer only when the order is paid in full.
  const of_sale = order.paid_at !== null
  if (of_sale) await addToTotalSpent(tx, store.id, customer_id, { cents: -cents, now })
  const credit = { orderId: id, cents: await centsToBalance(tx, context, input) }
  if (credit.cents > 0 && !(await creditBalance(tx, context, customer_id, credit))) {
    throw invalid(
      'to_balance',
      `The balance cannot exceed ${Number.MAX_SAFE_INTEGER}. Refund to the payment method.`,
    )
  }
  audit.reportChange(null, { to_balance: credit.cents > 0 })
  const row = {
    order_id: id,
    amount_cents: cents,
    currency,
    reason,
    note,
    restock,
    of_sale,
    items: lines,
  }
  return insertRefund(tx, store.id, { ...row, actor: audit.origin.actor, created_at: now })
}

/** Returns the part of a refund that goes to the customer's balance (decision 250). */
async function centsToBalance(
  tx: Tx,
  { store }: StoreContext,
  { order, body, plan }: RefundInput,
): Promise<number> {
  const { amount_cents: cents } = plan
  if (body.to_balance !== undefined || cents === 0) return body.to_balance ? cents : 0
  const paidFromBalance = await selectBalanceOfOrder(tx, store.id, order.id)
  return defaultCentsToBalance({
    cents,
    refundable: order.paid_cents - order.refunded_cents,
    paidFromBalance,
  })
}

/**
 * Revokes the deliveries and license keys of an order, releases its reserved stock, and rejects its
 * payments that wait for a review.
 */
async function revokeOrder(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  restock: boolean,
): Promise<NewEvent[]> {
  const items = await selectItems(tx, context.store.id, orderId)
  // Units that a return has restocked are in stock already.
  const lines = items.map((item) => ({ ...item, quantity: item.quantity - item.restocked }))
  const events = await returnStock(tx, context, orderId, { lines, restock })
  const restockedLines = lines.filter((line) => line.served && line.quantity > 0)
  if (restock && restockedLines.length > 0) await addRestocked(tx, context.store.id, restockedLines)
  await clearReserved(
    tx,
    context.store.id,
    items.map((item) => item.id),
  )
  await revokeDeliveries(tx, context.store.id, orderId)
  await suspendForOrder(tx, context, orderId)
  const { actor } = context.audit.origin
  await rejectPendingReviews(tx, context.store.id, orderId, { now: context.now, actor })
  return events
}
