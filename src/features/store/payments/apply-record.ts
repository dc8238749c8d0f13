import { changesOf } from '../../../audit/changes.rules.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { TOTAL_MAX } from '../../../kernel/money.ts'
import { addSeconds } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  applyProviderPayment,
  changeOrder,
  expiryOf,
  FIRST_CHECK_S,
  isUnpaid,
  type LockedOrder,
  lockOrder,
  mailUnpaidRenewals,
  markForReview,
  markSentBack,
  owedCents,
  type Payment,
  type ProviderPayment,
  processingUntil,
  readOrder,
  selectPayment,
  updateFee,
  updatePayment,
  updateTransactionId,
} from '../orders/index.ts'
import { removeMethod, saveMethod } from '../payment-methods/index.ts'
import {
  isSetUp,
  type ProviderFee,
  type ProviderRecord,
  providerNamed,
} from '../payment-providers/index.ts'
import { isRenewedFurther, renewManualOnesBy } from '../subscriptions/index.ts'
import { applyDispute, holdForDispute } from './apply-dispute.ts'
import { applyRefunds } from './apply-refunds.ts'
import {
  changeByRecord,
  isCounted,
  isUnwon,
  type RecordChange,
  returnedCents,
} from './record.rules.ts'

/** Asks the provider about a payment. */
export const readRecord = (
  context: StoreContext,
  payment: ProviderPayment,
): Promise<ProviderRecord> => providerNamed(payment.provider).read(context, payment)

/** Asks the provider about a payment, and applies its record. The return of the buyer and the job call it. */
export async function refreshPayment(
  context: StoreContext,
  payment: ProviderPayment,
): Promise<Payment['status']> {
  return applyRecord(context, payment, await readRecord(context, payment))
}

type AppliedPayment = Pick<ProviderPayment, 'order_id' | 'id' | 'provider' | 'saved_method'>

/**
 * Applies the record of a provider to a payment and its order. The order is locked, so each payment counts once,
 * however often and from wherever it is reported. Returns the new status of the payment.
 */
export function applyRecord(
  context: StoreContext,
  { order_id, id, provider, saved_method }: AppliedPayment,
  record: ProviderRecord,
): Promise<Payment['status']> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await lockOrder(tx, store.id, order_id), 'Order')
    const payment = requireRecord(await selectPayment(tx, store.id, order_id, id), 'Payment')
    const room_cents = TOTAL_MAX - order.paid_cents
    const { returnAll } = providerNamed(provider)
    const isReviewed = isUnpaid(order.status) && returnAll !== undefined
    const change = changeByRecord({ ...payment, room_cents, isReviewed }, record)
    let after = payment
    if (change) {
      // Money that its buyer disputes delivers nothing, even if both are reported at once.
      const isDisputed =
        change.status === 'succeeded' && record.status === 'paid' && isUnwon(record.dispute)
      const current = isDisputed ? await holdForDispute(tx, context, order_id) : order
      after = await applyChange(tx, context, {
        order: current,
        payment,
        change,
        facts: factsOf(context, { saved_method, record }),
        returned_cents: returnedCents(record),
        renewalMail: renewalMailOf(saved_method, record),
      })
    } else if ('transaction_id' in record && record.transaction_id !== undefined)
      await updateTransactionId(tx, store.id, id, record.transaction_id)
    if (record.status !== 'paid' || !isCounted(after)) return after.status
    await applyMoney(tx, context, order, { payment: after, record, isNew: change !== undefined })
    if (record.dispute === null) return after.status
    return requireRecord(await selectPayment(tx, store.id, order_id, id), 'Payment').status
  })
}

/** Returns the ids and the fee in a record, which are stored with the change of the payment. */
function factsOf(
  { now }: StoreContext,
  { saved_method, record }: Pick<AppliedPayment, 'saved_method'> & { record: ProviderRecord },
) {
  const transaction_id = 'transaction_id' in record ? record.transaction_id : undefined
  return {
    ...(transaction_id !== undefined && { transaction_id }),
    // It is also the id of a payment that charges a saved method, of which the first answer may have been lost.
    ...(transaction_id !== undefined && saved_method !== null && { external_id: transaction_id }),
    ...(record.status === 'paid' && feeOf(record.fee, now)),
  }
}

/** A fee that the provider has not told is asked for again, by the job that asks about payments. */
function feeOf(fee: ProviderFee | null | undefined, now: string) {
  if (fee === null) return { check_at: addSeconds(now, FIRST_CHECK_S) }
  return fee && { fee_cents: fee.amount_cents, fee_currency: fee.currency }
}

interface CountedMoney {
  payment: Payment
  record: ProviderRecord & { status: 'paid' }
  /** True if the payment counts since now. */
  isNew: boolean
}

/** Applies the refunds, the dispute, the fee and the saved method in the record of money that counts. */
async function applyMoney(
  tx: Tx,
  context: StoreContext,
  { id, customer_id }: LockedOrder,
  { payment, record, isNew }: CountedMoney,
): Promise<void> {
  const { refunds, failed_refunds = [], dispute, fee, saved_method: method } = record
  const { provider, fee_cents } = payment
  await applyRefunds(tx, context, payment, refunds)
  if (failed_refunds.length > 0)
    await markSentBack(tx, context.store.id, { payment_id: payment.id, failed: failed_refunds })
  await applyDispute(tx, context, payment, dispute)
  if (fee && fee_cents === null) await updateFee(tx, context.store.id, payment.id, fee)
  if (!isNew || !method || provider === null) return
  // The subscription may have ended while its buyer was on the page.
  const isUseless = isSetUp(payment) && !(await isRenewedFurther(tx, context.store.id, id))
  if (isUseless) await removeMethod(tx, context, { provider, method })
  else await saveMethod(tx, context, customer_id, { provider, method })
}

interface AppliedChange {
  order: LockedOrder
  payment: Payment
  change: RecordChange
  facts: ReturnType<typeof factsOf>
  /** The part of the money that has gone back already. */
  returned_cents: number
  /** The mail about a saved method that could not be charged without its buyer. */
  renewalMail: 'renewal_failed' | 'renewal_action' | undefined
}

function renewalMailOf(saved_method: string | null, record: ProviderRecord) {
  if (saved_method === null) return undefined
  return record.status === 'failed' && record.needs_buyer ? 'renewal_action' : 'renewal_failed'
}

async function applyChange(
  tx: Tx,
  context: StoreContext,
  { order, payment, change, facts, returned_cents, renewalMail }: AppliedChange,
): Promise<Payment> {
  const after = await updatePayment(tx, context.store.id, payment.id, {
    ...facts,
    ...change,
    ...timesOf(change, context.now),
  })
  await recordAct(tx, context, payment, after)
  if (change.status === 'succeeded' && isSetUp(payment))
    await renewManualOnesBy(tx, context.store.id, {
      orderId: order.id,
      method: payment.kind,
      now: context.now,
    })
  else if (change.status === 'succeeded')
    await applyProviderPayment(tx, context, order, { payment: after, returned_cents })
  else if (change.status === 'pending_review') await markForReview(tx, context, order, after)
  else if (change.status === 'failed' && renewalMail)
    await mailUnpaidRenewals(tx, context, [await readOrder(context, tx, order.id)], renewalMail)
  else await moveExpiry(tx, context, order, { before: payment, change })
  return after
}

const timesOf = ({ status }: RecordChange, now: string) => ({
  ...(status === 'succeeded' && { succeeded_at: now }),
  ...(status === 'processing' && { processing_since: now }),
})

/** Records the audit event of a change that a person has caused. A callback that a provider sent has none. */
async function recordAct(
  tx: Tx,
  { audit }: StoreContext,
  before: Payment,
  { id, order_id, status, amount_cents }: Payment,
): Promise<void> {
  if (audit.origin.actor.type === 'system') return
  const changes = {
    ...changesOf(null, { payment_id: id }),
    ...changesOf({ ...before }, { status, amount_cents }),
  }
  const action = 'order.update_payment'
  await audit.record(tx, [{ action, object: 'order', object_id: order_id, changes }])
}

/**
 * Stops the clock of an order while a payment of all that is owed is processed. If that payment then ends without money,
 * the order gets a new expiry, so that its buyer can pay in another way.
 */
async function moveExpiry(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
  { before, change }: { before: Payment; change: RecordChange },
): Promise<void> {
  if (order.expires_at === null || before.amount_cents < owedCents(order)) return
  const { now, store } = context
  const starts = change.status === 'processing'
  if (!starts && before.status !== 'processing') return
  const expires_at = starts ? processingUntil(now) : expiryOf(now, store.order_expiry_minutes)
  await changeOrder(tx, context, order.id, { expires_at })
}
