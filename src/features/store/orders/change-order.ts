import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type OrderChange, updateOrder } from './queries/orders.ts'
import type { Order, StoredOrder } from './schema.ts'
import { unseal } from './show-order.ts'

/** Changes an order, and returns it as it is after the change. */
export async function changeOrder(
  tx: Tx,
  context: StoreContext,
  id: string,
  change: OrderChange,
): Promise<StoredOrder> {
  return unseal(
    context,
    tx,
    await updateOrder(tx, context.store.id, id, { ...change, now: context.now }),
  )
}

/** The fields of an order that an audit event compares after a payment or a refund. */
export const moneyOf = ({ status, paid_cents, refunded_cents }: Order) => ({
  status,
  paid_cents,
  refunded_cents,
})
