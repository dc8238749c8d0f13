import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  type Order,
  type Payment,
  type ProviderPayment,
  readOrder,
  selectProviderPayment,
} from '../orders/index.ts'

export interface PaymentPath {
  orderId: string
  id: number
}

/** Returns a payment of an order through a provider. */
export async function findProviderPayment(
  { db, store }: StoreContext,
  { orderId, id }: PaymentPath,
): Promise<ProviderPayment> {
  const payment = await selectProviderPayment(db, store.id, id)
  return requireRecord(payment?.order_id === orderId ? payment : undefined, 'Payment')
}

/** Returns a payment and its order after a call. */
export async function showPayment(
  context: StoreContext,
  { orderId, id }: PaymentPath,
): Promise<{ payment: Payment; order: Order }> {
  const order = await readOrder(context, context.db, orderId)
  const payment = order.payments.find((item) => item.id === id)
  return { payment: requireRecord(payment, 'Payment'), order }
}
