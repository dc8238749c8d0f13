import type { Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { Order, StoredOrder } from './schema.ts'
import { unsealOrder } from './show-order.ts'

/** Changes an order, and returns the changed order. */
export async function changeOrder(
  tx: Tx,
  context: StoreContext,
  id: string,
  change: q.OrderChange,
): Promise<StoredOrder> {
  return unsealOrder(
    context,
    tx,
    await q.updateOrderRow(tx, context.store.id, id, { ...change, now: context.now }),
  )
}

/** Changes orders, and returns them in the sequence of `changes`. Equal changes share a statement. */
export async function changeOrders(
  tx: Tx,
  context: StoreContext,
  changes: readonly { id: string; change: q.OrderChange }[],
): Promise<StoredOrder[]> {
  const groups = new Map<string, { ids: string[]; change: q.OrderChange }>()
  for (const { id, change } of changes) {
    const key = JSON.stringify(change)
    const group = groups.get(key) ?? { ids: [], change }
    groups.set(key, group)
    group.ids.push(id)
  }
  const orders = new Map<string, StoredOrder>()
  for (const { ids, change } of groups.values()) {
    const sealedOrders = await q.updateOrderRows(tx, context.store.id, ids, {
      ...change,
      now: context.now,
    })
    for (const order of sealedOrders) orders.set(order.id, await unsealOrder(context, tx, order))
  }
  return changes.map(({ id }) => requireRecord(orders.get(id), 'Order'))
}

/** Returns the fields of an order that the audit event of a payment or a refund compares. */
export const moneyOf = ({ status, paid_cents, refunded_cents }: Order) => ({
  status,
  paid_cents,
  refunded_cents,
})
