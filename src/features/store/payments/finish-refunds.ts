import type { StoreContext } from '../../../store-context.ts'
import { type Order, type Refund, readOrder } from '../orders/index.ts'
import { sendRefunds } from './send-refunds.ts'

interface RefundsAndOrder {
  refunds: Refund[]
  order: Order
}

/** Returns the answer of a refund, which also names the first refund of a call. */
export function withFirst({ refunds, order }: RefundsAndOrder) {
  const [refund] = refunds
  if (!refund) throw new Error(`A refund of order ${order.id} made no refund.`)
  return { refund, refunds, order }
}

/** Asks the providers for new refunds, and returns the answer after it; undefined if there is none to ask for. */
export async function finishRefunds(
  context: StoreContext,
  orderId: string,
  refunds: readonly Refund[],
): Promise<ReturnType<typeof withFirst> | undefined> {
  if (!refunds.some(({ status }) => status === 'pending')) return undefined
  await sendRefunds(context, orderId)
  const order = await readOrder(context, context.db, orderId)
  const ids = refunds.map(({ id }) => id)
  return withFirst({ refunds: order.refunds.filter(({ id }) => ids.includes(id)), order })
}
