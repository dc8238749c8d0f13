import { inTransaction, type Tx } from '../../../db/database.ts'
import { Refusal, requireRecord } from '../../../kernel/errors.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { findBlocked } from '../blocklist/index.ts'
import {
  BLOCKED_REASON,
  cancelOrder,
  chargeOrder,
  chargeOrders,
  createRenewals,
  expireRenewal,
  hasChargeSince,
  isPayable,
  lockOrder,
  mailUnpaidRenewals,
  owedCents,
} from '../orders/index.ts'
import { isBeingPaid, requestCharges } from '../payments/index.ts'
import * as q from './queries/index.ts'
import {
  endChange,
  failedAttemptChange,
  isRunning,
  lastRetryAt,
  nextPeriod,
  retriesStart,
} from './state.rules.ts'

/** The delay until the next check of a renewal whose last attempt failed while one of its payments was under review. */
const REVIEW_MS = DAY_MS
/** The time that the last charge of a renewal gets before the renewal ends. */
const LAST_CHARGE_MS = HOUR_MS

/**
 * Handles a due subscription: ends it, or bills the next period and charges the customer. Returns false if the
 * subscription is no longer due, or if another worker has locked it. The order is locked before the
 * subscription, as in every change of an order, so that two calls never deadlock.
 */
export function renewSubscription(
  context: StoreContext,
  { id, open_invoice_id }: Pick<q.SubscriptionRow, 'id' | 'open_invoice_id'>,
): Promise<boolean> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const txContext = { ...context, db: tx }
    if (open_invoice_id) await lockOrder(tx, store.id, open_invoice_id)
    const [row] = await q.lockDueSubscriptions(tx, store.id, { ids: [id], now })
    if (!row || row.open_invoice_id !== open_invoice_id) return false
    if (isRunning(row) && row.auto_renew) await billOne(tx, txContext, row)
    // The effects of the cancelled order end the subscription.
    else if (open_invoice_id)
      await cancelOrder(txContext, open_invoice_id, 'The subscription was cancelled.')
    else await q.updateSubscription(tx, store.id, id, { ...endChange('cancelled', row, now), now })
    return true
  })
}

export interface BatchResult {
  renewedIds: number[]
  /** Due subscriptions that must be handled one by one. */
  remainingIds: number[]
}

/**
 * Bills the next period of several subscriptions and charges their customers in one transaction, so a failure
 * of one undoes all. Subscriptions that another worker has locked are skipped.
 */
export function renewTogether(context: StoreContext, ids: readonly number[]): Promise<BatchResult> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const lockedSubscriptions = await q.lockDueSubscriptions(tx, store.id, { ids, now })
    const customers = new Set<number>()
    const rows = lockedSubscriptions.filter((row) => {
      const isInBatch = isFirstAttempt(row) && !customers.has(row.customer_id)
      if (isInBatch) customers.add(row.customer_id)
      return isInBatch
    })
    if (rows.length > 0) await billTogether(tx, { ...context, db: tx }, rows)
    const renewedIds = rows.map((row) => row.id)
    const remainingIds = lockedSubscriptions
      .map(({ id }) => id)
      .filter((id) => !renewedIds.includes(id))
    return { renewedIds, remainingIds }
  })
}

/** Returns true if no payment of the next period was attempted yet. */
const isFirstAttempt = (row: q.SubscriptionRow): boolean =>
  isRunning(row) && row.auto_renew && row.open_invoice_id === null && row.status !== 'past_due'

async function billTogether(
  tx: Tx,
  context: StoreContext,
  subscriptions: readonly q.SubscriptionRow[],
): Promise<void> {
  const { store, now } = context
  const customerIds = subscriptions.map((row) => row.customer_id)
  const blockedIds = await findBlocked(tx, store.id, customerIds)
  const rows = subscriptions.map((row) => ({
    ...row,
    billed_at: retriesStart(row, now),
    is_blocked: blockedIds.has(row.customer_id),
  }))
  const orders = await openInvoices(tx, context, rows)
  const charges = orders.flatMap((order, index) => {
    const { payment_method: method, is_blocked } = requireRecord(rows[index], 'Subscription')
    return is_blocked ? [] : [{ order: { ...order, customer_id: order.customer.id }, method }]
  })
  const paidOrderIds = await chargeOrders(tx, context, charges)
  const unpaid = charges.filter(({ order }) => !paidOrderIds.has(order.id))
  const chargedIds = await requestCharges(
    tx,
    context,
    unpaid.map(({ order, method }) => ({ ...order, method, cents: owedCents(order) })),
  )
  const unchargedOrders = unpaid
    .map(({ order }) => order)
    .filter(({ id }) => !chargedIds.includes(id))
  await mailUnpaidRenewals(tx, context, unchargedOrders)
  for (const [index, row] of rows.entries()) {
    if (paidOrderIds.has(orders[index]?.id ?? '')) continue
    const change = failedAttemptChange(row)
    if (!change) throw new Error('The first attempt of a payment cannot be the last one.')
    await q.updateSubscription(tx, store.id, row.id, { ...change, now })
  }
}

async function billOne(tx: Tx, context: StoreContext, before: q.SubscriptionRow): Promise<void> {
  const { store, now } = context
  const is_blocked = (await findBlocked(tx, store.id, [before.customer_id])).size > 0
  const row = { ...before, billed_at: before.billed_at ?? retriesStart(before, now), is_blocked }
  const newInvoice = row.open_invoice_id ? undefined : await openInvoice(tx, context, row)
  const invoiceId = row.open_invoice_id ?? newInvoice?.id
  const isPaid =
    invoiceId && !is_blocked && (await chargeOrder(tx, context, invoiceId, row.payment_method))
  if (isPaid) return
  const change = failedAttemptChange(row)
  const isCharged =
    invoiceId &&
    !is_blocked &&
    (await chargeAgain(tx, context, {
      id: invoiceId,
      method: row.payment_method,
      lastRetryAt: change ? undefined : lastRetryAt(row.billed_at),
    }))
  if (newInvoice && !is_blocked && !isCharged) await mailUnpaidRenewals(tx, context, [newInvoice])
  if (change) {
    const { billed_at } = row
    return q.updateSubscription(tx, store.id, row.id, { ...change, billed_at, now })
  }
  if (!invoiceId)
    return q.updateSubscription(tx, store.id, row.id, { ...endChange('expired', row, now), now })
  const reason = is_blocked ? BLOCKED_REASON : null
  if (!isCharged && (await expireRenewal(tx, context, invoiceId, reason))) return
  const due_at = iso(Date.parse(now) + (isCharged ? LAST_CHARGE_MS : REVIEW_MS))
  await q.updateSubscription(tx, store.id, row.id, { due_at, now })
}

interface RetriedCharge {
  id: string
  method: string | null
  /** The time of the last retry, if it is that one. It charges once more, and the renewal then ends. */
  lastRetryAt: string | undefined
}

/** Has the saved method charged for an unpaid renewal, unless a payment of it is open. Returns false if none is charged. */
async function chargeAgain(
  tx: Tx,
  context: StoreContext,
  { id, method, lastRetryAt: since }: RetriedCharge,
): Promise<boolean> {
  const order = requireRecord(await lockOrder(tx, context.store.id, id), 'Order')
  if (!isPayable(order.status) || (await isBeingPaid(tx, context, id))) return false
  if (since !== undefined && (await hasChargeSince(tx, context.store.id, id, since))) return false
  const charge = { ...order, method, cents: owedCents(order) }
  return (await requestCharges(tx, context, [charge])).length > 0
}

type RenewalOrder = Awaited<ReturnType<typeof createRenewals>>[number]

/**
 * Creates the order of a renewal. Returns undefined if the product is out of stock, so that a later attempt
 * creates the order.
 */
async function openInvoice(
  tx: Tx,
  context: StoreContext,
  row: BilledRow,
): Promise<RenewalOrder | undefined> {
  const orders = await openInvoices(tx, context, [row]).catch(ignoreOutOfStock)
  return orders?.[0]
}

type BilledRow = q.SubscriptionRow & { billed_at: string; is_blocked: boolean }

/** Creates the orders of renewals. Each customer occurs once. */
async function openInvoices(tx: Tx, context: StoreContext, rows: readonly BilledRow[]) {
  const { store, now } = context
  const orders = await createRenewals(tx, context, rows)
  const bills = rows.map((row, index) => {
    const { start, end } = nextPeriod(row)
    return {
      subscription_id: row.id,
      order_id: requireRecord(orders[index], 'Order').id,
      amount_cents: row.unit_price_cents * row.quantity - row.discount_cents,
      period_start: start,
      period_end: end,
      billed_at: row.billed_at,
    }
  })
  await q.insertBills(tx, store.id, { now, bills })
  return orders
}

function ignoreOutOfStock(error: unknown): undefined {
  if (error instanceof Refusal && error.code === 'OUT_OF_STOCK') return undefined
  throw error
}
