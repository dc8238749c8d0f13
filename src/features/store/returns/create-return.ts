import { inTransaction } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockOrder, selectItems } from '../orders/index.ts'
import * as q from './queries.ts'
import { checkItems, checkReturnable } from './returns.rules.ts'
import type { NewReturn, Return } from './schema.ts'

/** Requests a return. Its units are claimed under the lock of the order, so no two returns claim one. */
export function createReturn(context: StoreContext, body: NewReturn): Promise<Return> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, store.id, body.order_id)
    if (!order) throw invalid('order_id', 'The store has no order with this id.')
    checkReturnable(order, { now, window_days: store.return_window_days })
    const lines = await selectItems(tx, store.id, order.id)
    checkItems(lines, await q.selectClaimed(tx, store.id, order.id), body.items)
    const id = await q.insertReturn(tx, store.id, {
      order_id: order.id,
      customer_email: order.customer_email,
      items: body.items,
      tracking_number: body.tracking_number ?? null,
      carrier_code: body.carrier_code ?? null,
      now,
    })
    return found(await q.selectReturn(tx, store.id, id), 'Return')
  })
}
