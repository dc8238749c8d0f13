import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { changeOrder } from './change-order.ts'
import * as q from './queries/index.ts'
import type { Order } from './schema.ts'

/** Replaces the link to the page of an order. The former link stops working (decision 464). */
export function rotateLink(context: StoreContext, id: string): Promise<Order> {
  return inTransaction(context.db, async (tx) => {
    const { link_version } = requireRecord(await q.lockOrder(tx, context.store.id, id), 'Order')
    const change = { link_version: link_version + 1 }
    context.audit.reportChange({ link_version }, { link_version: change.link_version })
    return changeOrder(tx, context, id, change)
  })
}
