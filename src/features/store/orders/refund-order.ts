import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectBalanceOfOrder } from '../customers/index.ts'
import { checkRestockable } from './cancelled-units.rules.ts'
import { moneyOf } from './change-order.ts'
import { countRefund } from './count-refund.ts'
import type { NewRefund, Refund } from './payment-schema.ts'
import * as q from './queries/index.ts'
import { amountOfLines, planRefundedLines } from './refund-lines.rules.ts'
import { linesOfParts, type Payable, type RefundPart, splitRefund } from './refund-parts.rules.ts'
import type { Order } from './schema.ts'
import { readOrder } from './show-order.ts'
import {
  afterRefund,
  checkRefundable,
  defaultCentsToBalance,
  refundAmount,
} from './status.rules.ts'

/** The refunds of a call, and the order after it. */
interface RefundsAndOrder {
  /** One for each payment whose provider returns money, and one for the rest. */
  refunds: Refund[]
  order: Order
}

/**
 * An order is always read with all its refunds, so their number is limited. A refund of the whole
 * remaining amount is allowed beyond this limit, as long as not even more were refused by providers.
 */
const REFUNDS_MAX = 100
const ATTEMPTS_MAX = 200

/** A refund, and the return that it is for with the refunded lines (decision 185). */
type RequestedRefund = NewRefund & { of_return?: { id: number; lines: Refund['items'] } }

/**
 * Refunds an order. Money that came through a connected provider is asked of that provider after the commit, and counts
 * when the provider confirms it (decision 457). The rest is recorded at once.
 */
export function refundOrder(
  context: StoreContext,
  id: string,
  body: RequestedRefund,
): Promise<RefundsAndOrder> {
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await q.lockOrder(tx, context.store.id, id), 'Order')
    checkRefundable(order)
    const plan = await planRequest(tx, context, { order, body })
    const made = await makeRefunds(tx, context, plan)
    // The refund that is confirmed last ends the order, whichever it is.
    if (body.restock && plan.isWhole && plan.pendingCents > 0)
      await q.restockWithLast(tx, context.store.id, id)
    const refundsMax = plan.isWhole ? ATTEMPTS_MAX : REFUNDS_MAX
    if (made.order.refunds.length > refundsMax) throw tooManyRefunds()
    context.audit.reportChange(order, moneyOf(made.order))
    return made
  })
}

interface RefundPlan {
  order: q.LockedOrder
  body: RequestedRefund
  sources: q.RefundSources
  cents: number
  lines: Refund['items']
  /** True if nothing of the paid amount remains after it. */
  isWhole: boolean
  /** The amount of earlier refunds that their providers have not confirmed. */
  pendingCents: number
}

/** Plans the amount of a refund, and the lines that it names. */
async function planRequest(
  tx: Tx,
  { store }: StoreContext,
  { order, body }: Pick<RefundPlan, 'order' | 'body'>,
): Promise<RefundPlan> {
  const { amount_cents, items, of_return, restock } = body
  let lines = of_return?.lines ?? []
  if (items) {
    const boughtLines = await q.selectItems(tx, store.id, order.id)
    lines = planRefundedLines(
      boughtLines,
      await q.selectRefundedLines(tx, store.id, order.id),
      items,
    )
  }
  const sources = await q.selectRefundSources(tx, store.id, order.id)
  const pendingCents = sources.payments.reduce((sum, payment) => sum + payment.pending_cents, 0)
  const requestedCents = items ? amountOfLines(lines, amount_cents) : amount_cents
  const cents = refundAmount(order, requestedCents, pendingCents)
  const refunded_cents = order.refunded_cents + pendingCents
  const { refund_status, endsOrder } = afterRefund({ ...order, refunded_cents }, cents)
  if (restock && !endsOrder) {
    if (refund_status === 'full' || !items)
      throw invalid('restock', restockRefusalText(refund_status))
    const ids = items.map((item) => item.order_item_id)
    checkRestockable(await q.selectRefundedItems(tx, store.id, order.id, ids), lines)
  }
  return { order, body, sources, cents, lines, isWhole: refund_status === 'full', pendingCents }
}

const restockRefusalText = (refund_status: 'partial' | 'full') =>
  refund_status === 'full'
    ? 'This order ended unpaid, and its stock was returned already. Set restock to false.'
    : 'Name the units that go back to stock in items, leave amount_cents out to refund all, or set restock to false.'

const tooManyRefunds = () =>
  invalid(
    'amount_cents',
    `An order has at most ${REFUNDS_MAX} partial refunds. Leave this out to refund the whole remaining amount.`,
  )

/** A part of a refund with its lines, and the amount of it that goes to the balance. */
type PlannedPart = RefundPart & { items: Refund['items']; balance_cents: number }

/** Asks for the parts of a refund that providers return, and records the other parts. */
async function makeRefunds(
  tx: Tx,
  context: StoreContext,
  plan: RefundPlan,
): Promise<RefundsAndOrder> {
  const { store, now } = context
  const parts = await planParts(tx, context, plan)
  const requests: Refund[] = []
  const refunds: Refund[] = []
  let { order } = plan
  let after: Order | undefined
  for (const part of parts) {
    const fields = fieldsOf(context, plan, part)
    const payment = askedPayment(context, part)
    if (payment) {
      const { id: order_id, currency } = order
      const row = { ...fields, order_id, currency, payment_id: payment.id, created_at: now }
      requests.push(await q.insertRequest(tx, store.id, row))
      continue
    }
    const payment_id = part.payment?.id ?? null
    const { balance_cents } = part
    const row = {
      ...fields,
      payment_id,
      balance_cents,
      source: 'seller',
      external_id: null,
    } as const
    const counted = await countRefund(tx, context, order, row)
    refunds.push(counted.refund)
    after = counted.order
    const { status, refunded_cents, fulfillment_status } = after
    order = { ...order, status, refunded_cents, fulfillment_status }
  }
  const counted = requests.length === 0 ? after : undefined
  return {
    refunds: [...requests, ...refunds],
    order: counted ?? (await readOrder(context, tx, order.id)),
  }
}

async function planParts(tx: Tx, context: StoreContext, plan: RefundPlan): Promise<PlannedPart[]> {
  const { body, sources, cents, lines } = plan
  const parts = body.to_balance
    ? [{ payment: null, cents }]
    : splitRefund(sources.payments, { ...sources, cents })
  const partLines = linesOfParts(lines, parts)
  const creditCents = await centsToBalance(tx, context, plan)
  context.audit.reportChange(null, { to_balance: creditCents > 0 })
  return parts.map((part, index) => ({
    ...part,
    items: partLines[index] ?? [],
    balance_cents: part.payment === null ? Math.min(part.cents, creditCents) : 0,
  }))
}

/**
 * Returns the payment of a part whose provider returns the money. Without a connected provider, a refund is only recorded
 * (decision 457).
 */
const askedPayment = ({ store }: StoreContext, { payment }: RefundPart): Payable | null =>
  payment && store.payment_providers.includes(payment.provider ?? '') ? payment : null

const fieldsOf = ({ audit }: StoreContext, { body }: RefundPlan, part: PlannedPart) => ({
  amount_cents: part.cents,
  reason: body.reason,
  note: body.note,
  restock: body.restock,
  items: part.items,
  actor: audit.origin.actor,
  return_id: body.of_return?.id ?? null,
})

/** Returns the part of a refund that goes to the customer's balance. */
async function centsToBalance(
  tx: Tx,
  { store }: StoreContext,
  { order, body, cents, pendingCents }: RefundPlan,
): Promise<number> {
  if (body.to_balance !== undefined || cents === 0) return body.to_balance ? cents : 0
  const paidFromBalance = await selectBalanceOfOrder(tx, store.id, order.id)
  return defaultCentsToBalance({
    cents,
    refundable: order.paid_cents - order.refunded_cents - pendingCents,
    paidFromBalance,
  })
}
