import type { Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type OrderChange, updateOrder, updateOrders } from './queries/orders.ts'
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

/** Changes orders, and returns them in this sequence. Equal changes share a statement. */
export async function changeOrders(
  tx: Tx,
  context: StoreContext,
  changes: readonly { id: string; change: OrderChange }[],
): Promise<StoredOrder[]> {
  const alike = new Map<string, { ids: string[]; change: OrderChange }>()
  for (const { id, change } of changes) {
    const key = JSON.stringify(change)
    const group = alike.get(key) ?? { ids: [], change }
    alike.set(key, group)
    group.ids.push(id)
  }
  const orders = new Map<string, StoredOrder>()
  for (const { ids, change } of alike.values()) {
    const sealed = await updateOrders(tx, context.store.id, ids, { ...change, now: context.now })
    for (const order of sealed) orders.set(order.id, await unseal(context, tx, order))
  }
  return changes.map(({ id }) => found(orders.get(id), 'Order'))
}

/** The fields of an order that an audit event compares after a payment or a refund. */
export const moneyOf = ({ status, paid_cents, refunded_cents }: Order) => ({
  status,
  paid_cents,
  refunded_cents,
})
