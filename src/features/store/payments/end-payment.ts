import { invalidState, Refusal } from '../../../kernel/errors.ts'
import { stateText } from '../../../kernel/state-text.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  markEndFailed,
  type Payment,
  type ProviderPayment,
  selectOpenPayments,
} from '../orders/index.ts'
import { providerNamed } from '../payment-providers/index.ts'
import { applyRecord } from './apply-record.ts'

/**
 * Ends an open payment at its provider, and applies the provider's record: if the buyer has paid meanwhile, the payment
 * counts (decision 455). Returns its status.
 */
export async function endPayment(
  context: StoreContext,
  payment: ProviderPayment,
): Promise<Payment['status']> {
  const record = await providerNamed(payment.provider).end(context, payment)
  return applyRecord(context, payment, record)
}

/** Without an answer of the provider for so long, an order ends without it. Money that arrives later is recorded. */
const PATIENCE_MS = 10 * MINUTE_MS

/** Ends an open payment of an order that ends, or leaves it open if its provider has not answered for ten minutes. */
async function endOrLeave(
  context: StoreContext,
  payment: ProviderPayment,
): Promise<Payment['status']> {
  const { db, store, now } = context
  try {
    return await endPayment(context, payment)
  } catch (error) {
    const isUnanswered = error instanceof Refusal && error.status >= 500
    if (!isUnanswered) throw error
    const since = payment.end_failed_at
    if (since !== null && Date.parse(now) - Date.parse(since) >= PATIENCE_MS) return 'pending'
    await markEndFailed(db, store.id, payment.id, now)
    throw error
  }
}

/** Ends the open payments of an order at their providers. Returns their ids. */
export async function endPaymentsOf(
  context: StoreContext,
  orderId: string,
  { processing }: { processing: 'refused' | 'left' },
): Promise<number[]> {
  const openPayments = await selectOpenPayments(context.db, context.store.id, orderId)
  for (const payment of openPayments) {
    const status = await endOrLeave(context, payment)
    if (status === 'pending_review') throw underReview()
    if (status === 'processing' && processing === 'refused') throw stillProcessing()
  }
  return openPayments.map(({ id }) => id)
}

const stillProcessing = () =>
  invalidState(
    'processing',
    'The provider is processing a payment, which cannot be ended now. Wait for its result.',
  )

const underReview = () =>
  invalidState(
    'pending_review',
    'Another amount than the owed one arrived meanwhile. Approve the payment, or reject it to return the money.',
  )

/** Ends a payment at the request of the seller. */
export async function cancelPayment(
  context: StoreContext,
  payment: ProviderPayment,
): Promise<void> {
  if (payment.status !== 'pending' && payment.status !== 'processing')
    throw invalidState(payment.status, `This payment ${stateText(payment.status)} already.`)
  const status = await endPayment(context, payment)
  if (status === 'processing') throw stillProcessing()
  if (status === 'pending_review') throw underReview()
  if (status !== 'succeeded') return
  throw new Refusal('INVOICE_PAID', 'The buyer has paid meanwhile; refund the order instead.', {
    status,
  })
}
