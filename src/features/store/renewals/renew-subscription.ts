import { inTransaction, type Tx } from '../../../db/database.ts'
import { StoreError } from '../../../kernel/errors.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  cancelOrder,
  chargeOrder,
  createRenewal,
  expireRenewal,
  lockOrder,
} from '../orders/index.ts'
import {
  billedAt,
  ended,
  insertBill,
  isLive,
  lockDue,
  nextPeriod,
  type SubscriptionRow,
  unpaid,
  updateSubscription,
} from '../subscriptions/index.ts'

/** When a renewal whose last attempt failed is looked at again while a payment waits for review. */
const REVIEW_MS = DAY_MS

/**
 * Does what is due for a subscription: ends it, or bills the next period and takes the payment. False
 * where it is not due any more, or another worker has it. The order's row is locked before the
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

/** Makes the renewal's order; undefined while there is no stock for it, which a retry tries again. */
async function openInvoice(
  tx: Tx,
  context: StoreContext,
  row: SubscriptionRow,
): Promise<string | undefined> {
  const { store, now } = context
  const order = await createRenewal(tx, context, row).catch(orOutOfStock)
  if (!order) return undefined
  const { start, end } = nextPeriod(row)
  const amount_cents = row.unit_price_cents * row.quantity - row.discount_cents
  const period = { period_start: start, period_end: end }
  const payment = { subscription_id: row.id, order_id: order.id, amount_cents, ...period, now }
  await insertBill(tx, store.id, payment)
  const invoices = { open_invoice_id: order.id, last_invoice_id: order.id }
  await updateSubscription(tx, store.id, row.id, { ...invoices, billed_at: row.billed_at, now })
  return order.id
}

function orOutOfStock(error: unknown): undefined {
  if (error instanceof StoreError && error.code === 'OUT_OF_STOCK') return undefined
  throw error
}
