import type { StoreContext } from '../../../store-context.ts'
import { selectProviderPayment } from '../orders/index.ts'
import { providerNamed, providerRefused } from '../payment-providers/index.ts'
import type { PaymentPath } from './find-payment.ts'

/**
 * Has the provider return the money of a payment before it is rejected. A repeated call returns it once.
 * Does nothing for payments without a provider, and for those that do not wait for a review.
 */
export async function returnMoney(
  context: StoreContext,
  { orderId, id }: PaymentPath,
): Promise<void> {
  const payment = await selectProviderPayment(context.db, context.store.id, id)
  if (payment?.order_id !== orderId || payment.status !== 'pending_review') return
  const failure = await providerNamed(payment.provider).returnAll?.(context, payment)
  if (failure) throw providerRefused(failure)
}
