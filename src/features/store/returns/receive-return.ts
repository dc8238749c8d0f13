import type { StoreContext } from '../../../store-context.ts'
import { restockLines, selectItems } from '../orders/index.ts'
import { lockAndChange } from './change-return.ts'
import * as q from './queries.ts'
import { checkNextStatus, planReceipt } from './returns.rules.ts'
import type { Receipt, Return } from './schema.ts'

/**
 * Records the received units. Undamaged units of counted variants are returned to stock,
 * except for units that a refund with `restock` has returned already.
 */
export function receiveReturn(
  context: StoreContext,
  id: number,
  { items }: Receipt,
): Promise<Return> {
  const { store, now } = context
  return lockAndChange(context, id, async (tx, { order, before }) => {
    checkNextStatus(before.status, 'received')
    const receivedItems = planReceipt(before.items, items)
    await q.updateItems(tx, store.id, id, receivedItems)
    const after = await q.updateReturn(tx, store.id, id, {
      status: 'received',
      received_at: now,
      now,
    })
    const lines = await selectItems(tx, store.id, order.id)
    const units = new Map(
      receivedItems.map((item) => [
        item.order_item_id,
        item.received_quantity - item.damaged_quantity,
      ]),
    )
    await context.emit(tx, await restockLines(tx, context, lines, units))
    return after
  })
}
