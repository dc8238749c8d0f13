import { inTransaction } from '../../../db/database.ts'
import { invalidState, Refusal, requireRecord, unavailable } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  cancelOrder,
  checkCancellable,
  lockOrder,
  type Order,
  type Payment,
  type ProviderPayment,
  selectOpenPayments,
  stateText,
} from '../orders/index.ts'
import { providerNamed } from '../payment-providers/index.ts'
import { applyRecord } from './apply-record.ts'

/**
 * Ends an open payment at its provider, and applies the provider's record: if the buyer has paid meanwhile, the payment
 * counts (decision 156). Returns its status.
 */
export async function endPayment(
  context: StoreContext,
  payment: ProviderPayment,
): Promise<Payment['status']> {
  const record = await providerNamed(payment.provider).end(context, payment)
  return (await applyRecord(context, payment, record)).status
}

/** Ends the open payments of an order at their providers. Returns their ids. */
export async function endPaymentsOf(
  context: StoreContext,
  orderId: string,
  { processing }: { processing: 'refused' | 'left' },
): Promise<number[]> {
  const openPayments = await selectOpenPayments(context.db, context.store.id, orderId)
  for (const payment of openPayments) {
    const status = await endPayment(context, payment)
    if (status === 'processing' && processing === 'refused') throw stillProcessing()
  }
  return openPayments.map(({ id }) => id)
}

export const stillProcessing = () =>
  invalidState(
    'processing',
    'The provider is processing a payment, which cannot be ended now. Wait for its result.',
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
  if (status !== 'succeeded') return
  throw new Refusal('INVOICE_PAID', 'The buyer has paid meanwhile; refund the order instead.', {
    status,
  })
}

/** Cancels an order. A payment that was started after `endedPayments` were ended must be ended first. */
export function cancelEndedOrder(
  context: StoreContext,
  orderId: string,
  { reason, endedPayments }: { reason: string | null; endedPayments: readonly number[] },
): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await lockOrder(tx, context.store.id, orderId), 'Order')
    checkCancellable(order.status)
    const openPayments = await selectOpenPayments(tx, context.store.id, orderId)
    if (openPayments.some(({ id }) => !endedPayments.includes(id)))
      throw unavailable('A payment of this order was started meanwhile. Repeat the call.')
    return cancelOrder({ ...context, db: tx }, orderId, reason)
  })
}
