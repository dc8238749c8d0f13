import { inTransaction } from '../../../db/database.ts'
import { requireRecord, unknownId } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockOrder } from '../orders/index.ts'
import * as q from './queries.ts'
import { checkItems, checkReturnable } from './returns.rules.ts'
import type { NewReturn, Return } from './schema.ts'

/** Requests a return. The order is locked, so that two returns cannot contain the same unit. */
export function createReturn(context: StoreContext, body: NewReturn): Promise<Return> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, store.id, body.order_id)
    if (!order) throw unknownId('order_id', body.order_id, 'This store has no order')
    checkReturnable(order, { now, window_days: store.return_window_days })
    const lines = await q.selectReturnableLines(tx, store.id, order.id)
    checkItems(lines, await q.selectReturnUnits(tx, store.id, order.id), body.items)
    const id = await q.insertReturn(tx, store.id, {
      order_id: order.id,
      customer_email: order.customer_email,
      items: body.items,
      tracking_number: body.tracking_number ?? null,
      carrier_code: body.carrier_code ?? null,
      now,
    })
    return requireRecord(await q.selectReturn(tx, store.id, id), 'Return')
  })
}
