import type { StoreContext } from '../../../store-context.ts'
import { restockLines, selectItems } from '../orders/index.ts'
import { withReturn } from './change-return.ts'
import * as q from './queries.ts'
import { checkStep, planReceipt } from './returns.rules.ts'
import type { Receipt, Return } from './schema.ts'

/**
 * Records what arrived. Undamaged units of variants whose quantity is counted go back into stock, each once:
 * not those that a refund with `restock` has put back already.
 */
export function receiveReturn(
  context: StoreContext,
  id: number,
  { items }: Receipt,
): Promise<Return> {
  const { store, now } = context
  return withReturn(context, id, async (tx, { order, before }) => {
    checkStep(before.status, 'received')
    const received = planReceipt(before.items, items)
    await q.updateItems(tx, store.id, id, received)
    const after = await q.updateReturn(tx, store.id, id, {
      status: 'received',
      received_at: now,
      now,
    })
    const lines = await selectItems(tx, store.id, order.id)
    const units = new Map(
      received.map((item) => [item.order_item_id, item.received_quantity - item.damaged_quantity]),
    )
    await context.emit(tx, await restockLines(tx, context, lines, units))
    return after
  })
}
