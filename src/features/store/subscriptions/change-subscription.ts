import { inTransaction, type Tx } from '../../../db/database.ts'
import { repeatLocking } from '../../../db/repeat-locking.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { connectedMethods } from '../../../kernel/payment-methods.ts'
import type { StoreContext } from '../../../store-context.ts'
import { cancelOrder, checkMethod, lockOrder } from '../orders/index.ts'
import { moveBillingDate } from './move-billing-date.ts'
import * as q from './queries/index.ts'
import type { AutoRenewal, Cancellation, Subscription, SubscriptionPatch } from './schema.ts'
import { readAutoRenewal, readSubscription } from './show-subscriptions.ts'
import {
  cancellationAtEndChange,
  checkCancellable,
  checkMethodChange,
  endChange,
  isCurrentPeriodUnpaid,
  resumeChange,
} from './state.rules.ts'

/** Ends a subscription at the end of its period, or now. An unpaid renewal is cancelled too. */
export function cancelSubscription(
  context: StoreContext,
  id: number,
  { at_period_end }: Cancellation,
): Promise<Subscription> {
  return changeSubscription(context, id, (tx, row) => cancelLocked(tx, context, row, at_period_end))
}

/** Undoes a cancellation at the end of the period. */
export function resumeSubscription(context: StoreContext, id: number): Promise<Subscription> {
  const { store, now } = context
  return changeSubscription(context, id, (tx, row) =>
    q.updateSubscription(tx, store.id, id, { ...resumeChange(row), now }),
  )
}

/** `auto_renew: false` cancels at the end of the period, and `true` undoes this cancellation. */
export function patchSubscription(
  context: StoreContext,
  id: number,
  { auto_renew, next_billing_date, payment_method }: SubscriptionPatch,
): Promise<Subscription> {
  const { store, now } = context
  return changeSubscription(context, id, async (tx, row) => {
    let state = row
    if (auto_renew === true && !row.auto_renew) {
      const change = resumeChange(row)
      state = { ...row, ...change }
      await q.updateSubscription(tx, store.id, id, { ...change, now })
    }
    if (payment_method !== undefined) {
      await checkRenewalMethod(tx, context, row, payment_method)
      state = { ...state, payment_method }
      await q.updateSubscription(tx, store.id, id, { payment_method, now })
    }
    if (next_billing_date !== undefined)
      state = await moveBillingDate(tx, context, state, next_billing_date)
    if (auto_renew === false && row.auto_renew) await cancelLocked(tx, context, state, true)
  })
}

/** Refuses a payment method that is not connected, or that the product of the subscription does not accept. */
async function checkRenewalMethod(
  tx: Tx,
  { store }: StoreContext,
  row: q.SubscriptionRow,
  method: string,
): Promise<void> {
  checkMethodChange(row)
  const product = await q.selectMethods(tx, store.id, row)
  checkMethod(product ? [product] : [], method, connectedMethods(store))
}

/** Cancels the subscription at the end of its period. Throws INVALID_STATE if it is cancelled or has ended. */
export async function cancelAutoRenewal(context: StoreContext, id: number): Promise<AutoRenewal> {
  return inTransaction(context.db, async (tx) => {
    const txContext = { ...context, db: tx }
    await readAutoRenewal(txContext, tx, id)
    await cancelSubscription(txContext, id, { at_period_end: true })
    return readAutoRenewal(txContext, tx, id)
  })
}

async function cancelLocked(
  tx: Tx,
  context: StoreContext,
  row: q.SubscriptionRow,
  atPeriodEnd: boolean,
): Promise<void> {
  const { store, now } = context
  checkCancellable(row, { atPeriodEnd })
  const endsNow = !atPeriodEnd || isCurrentPeriodUnpaid(row)
  // The effects of the cancelled order cancel the subscription.
  if (endsNow && row.open_invoice_id) {
    const reason = 'The subscription was cancelled.'
    await cancelOrder({ ...context, db: tx }, row.open_invoice_id, reason)
    return
  }
  const change = endsNow ? endChange('cancelled', row, now) : cancellationAtEndChange(row, now)
  await q.updateSubscription(tx, store.id, row.id, { ...change, now })
}

/**
 * Locks an unpaid renewal order before its subscription, as in every change of an order, to avoid deadlocks. If
 * the job creates this order while we wait for the subscription, both locks are taken again.
 */
function lockWithOpenInvoice(tx: Tx, storeId: number, id: number): Promise<q.SubscriptionRow> {
  return repeatLocking(tx, async () => {
    const { open_invoice_id } = requireRecord(
      await q.selectOpenInvoice(tx, storeId, id),
      'Subscription',
    )
    if (open_invoice_id) await lockOrder(tx, storeId, open_invoice_id)
    const result = requireRecord(await q.lockSubscription(tx, storeId, id), 'Subscription')
    return { result, isComplete: result.open_invoice_id === open_invoice_id }
  })
}

function changeSubscription(
  context: StoreContext,
  id: number,
  work: (tx: Tx, row: q.SubscriptionRow) => Promise<void>,
): Promise<Subscription> {
  const { store, audit } = context
  return inTransaction(context.db, async (tx) => {
    const row = await lockWithOpenInvoice(tx, store.id, id)
    const before = await readSubscription(context, tx, id)
    await work(tx, row)
    const after = await readSubscription(context, tx, id)
    audit.reportChange(auditedFields(before), auditedFields(after))
    return after
  })
}

const auditedFields = (subscription: Subscription) => {
  const { status, auto_renew, next_billing_date, current_period_end, auto_renewal } = subscription
  const payment_method = auto_renewal?.provider ?? null
  return { status, auto_renew, next_billing_date, current_period_end, payment_method }
}
