import { inTransaction } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  approvePayment,
  type Order,
  type Payment,
  type PaymentReview,
  selectProviderPayment,
} from '../orders/index.ts'
import { saveMethod } from '../payment-methods/index.ts'
import { type ProviderRecord, providerNamed } from '../payment-providers/index.ts'
import type { PaymentPath } from './find-payment.ts'
import { isUnwon, returnedCents } from './record.rules.ts'

type PaidRecord = ProviderRecord & { status: 'paid' }

/**
 * Reads what has become of the money of a payment under review, before it is approved. Returns undefined for payments
 * without a provider, and for those that do not wait for a review.
 */
export async function readArrived(
  context: StoreContext,
  { orderId, id }: PaymentPath,
): Promise<PaidRecord | undefined> {
  const payment = await selectProviderPayment(context.db, context.store.id, id)
  if (payment?.order_id !== orderId || payment.status !== 'pending_review') return undefined
  const record = await providerNamed(payment.provider).read(context, payment)
  return record.status === 'paid' ? record : undefined
}

/** Approves a payment. The method that its buyer has let the provider save is saved with it. */
export function approveArrived(
  context: StoreContext,
  path: PaymentPath,
  { record, ...review }: PaymentReview & { record: PaidRecord | undefined },
): Promise<{ payment: Payment; order: Order }> {
  return inTransaction(context.db, async (tx) => {
    const arrived = record && {
      returned_cents: returnedCents(record),
      isDisputed: isUnwon(record.dispute),
    }
    const approved = await approvePayment({ ...context, db: tx }, path, { ...review, arrived })
    const { provider } = approved.payment
    const method = record?.saved_method
    const customerId = approved.order.customer.id
    if (method && provider !== null) await saveMethod(tx, context, customerId, { provider, method })
    return approved
  })
}
