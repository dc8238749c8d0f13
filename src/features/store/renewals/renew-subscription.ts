import { inTransaction, type Tx } from '../../../db/database.ts'
import { found, Refusal } from '../../../kernel/errors.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  cancelOrder,
  chargeOrder,
  chargeOrders,
  createRenewals,
  expireRenewal,
  lockOrder,
} from '../orders/index.ts'
import {
  billedAt,
  ended,
  insertBills,
  isLive,
  lockAllDue,
  lockDue,
  nextPeriod,
  type SubscriptionRow,
  unpaid,
  updateSubscription,
} from '../subscriptions/index.ts'

/** When a renewal whose last attempt failed is looked at again while a payment waits for review. */
const REVIEW_MS = DAY_MS

/**
 * Handles a due subscription: ends it, or bills the next period and takes the payment. Returns
 * false if it is not due any more, or another worker has it. The order's row is locked before the
 * subscription's, as by everything that pays or ends an order.
 */
export function renewSubscription(
  context: StoreContext,
  { id, open_invoice_id: open }: Pick<SubscriptionRow, 'id' | 'open_invoice_id'>,
): Promise<boolean> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const within = { ...context, db: tx }
    if (open) await lockOrder(tx, store.id, open)
    const row = await lockDue(tx, store.id, { id, now })
    if (!row || row.open_invoice_id !== open) return false
    if (isLive(row) && row.auto_renew) await bill(tx, within, row)
    // Its ending records what becomes of the subscription.
    else if (open) await cancelOrder(within, open, 'The subscription was cancelled.')
    else await updateSubscription(tx, store.id, id, { ...ended('cancelled', row, now), now })
    return true
  })
}

export interface Renewed {
  renewed: number[]
  /** Subscriptions that are due, and must be looked at one by one. */
  left: number[]
}

/**
 * Bills the next period of subscriptions, and takes the payments, in one transaction: a failure of one
 * undoes all. Subscriptions that another worker has are left out.
 */
export function renewTogether(context: StoreContext, ids: readonly number[]): Promise<Renewed> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const locked = await lockAllDue(tx, store.id, { ids, now })
    const customers = new Set<number>()
    const rows = locked.filter((row) => {
      const isNext = isFresh(row) && !customers.has(row.customer_id)
      if (isNext) customers.add(row.customer_id)
      return isNext
    })
    if (rows.length > 0) await billTogether(tx, { ...context, db: tx }, rows)
    const renewed = rows.map((row) => row.id)
    return { renewed, left: locked.flatMap(({ id }) => (renewed.includes(id) ? [] : id)) }
  })
}

/** Nothing was tried for the period yet. */
const isFresh = (row: SubscriptionRow): boolean =>
  isLive(row) && row.auto_renew && row.open_invoice_id === null && row.status !== 'past_due'

async function billTogether(
  tx: Tx,
  context: StoreContext,
  fresh: readonly SubscriptionRow[],
): Promise<void> {
  const { store, now } = context
  const rows = fresh.map((row) => ({ ...row, billed_at: billedAt(row, now) }))
  const orders = await openInvoices(tx, context, rows)
  const charged = orders.map((order, at) => ({
    order: { ...order, customer_id: order.customer.id },
    method: rows[at]?.payment_method ?? null,
  }))
  const paid = await chargeOrders(tx, context, charged)
  for (const [at, row] of rows.entries()) {
    if (paid.has(orders[at]?.id ?? '')) continue
    const change = unpaid(row)
    if (!change) throw new Error('A first attempt to take a payment cannot be the last.')
    await updateSubscription(tx, store.id, row.id, { ...change, now })
  }
}

async function bill(tx: Tx, context: StoreContext, before: SubscriptionRow): Promise<void> {
  const { store, now } = context
  const row = { ...before, billed_at: before.billed_at ?? billedAt(before, now) }
  const invoice = row.open_invoice_id ?? (await openInvoice(tx, context, row))
  if (invoice && (await chargeOrder(tx, context, invoice, row.payment_method))) return
  const change = unpaid(row)
  if (change) {
    const { billed_at } = row
    return updateSubscription(tx, store.id, row.id, { ...change, billed_at, now })
  }
  if (!invoice)
    return updateSubscription(tx, store.id, row.id, { ...ended('expired', row, now), now })
  if (await expireRenewal(tx, context, invoice)) return
  const due_at = iso(Date.parse(now) + REVIEW_MS)
  await updateSubscription(tx, store.id, row.id, { due_at, now })
}

/**
 * Creates the renewal's order; undefined while there is no stock for it, so that a retry tries
 * again.
 */
async function openInvoice(
  tx: Tx,
  context: StoreContext,
  row: BilledRow,
): Promise<string | undefined> {
  const orders = await openInvoices(tx, context, [row]).catch(orOutOfStock)
  return orders?.[0]?.id
}

type BilledRow = SubscriptionRow & { billed_at: string }

/** Makes the orders of renewals of different customers. */
async function openInvoices(tx: Tx, context: StoreContext, rows: readonly BilledRow[]) {
  const { store, now } = context
  const orders = await createRenewals(tx, context, rows)
  const bills = rows.map((row, at) => {
    const { start, end } = nextPeriod(row)
    return {
      subscription_id: row.id,
      order_id: found(orders[at], 'Order').id,
      amount_cents: row.unit_price_cents * row.quantity - row.discount_cents,
      period_start: start,
      period_end: end,
      billed_at: row.billed_at,
    }
  })
  await insertBills(tx, store.id, { now, bills })
  return orders
}

function orOutOfStock(error: unknown): undefined {
  if (error instanceof Refusal && error.code === 'OUT_OF_STOCK') return undefined
  throw error
}
