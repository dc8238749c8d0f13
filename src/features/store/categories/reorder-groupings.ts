import { inTransaction } from '../../../db/database.ts'
import { checkOrder } from '../../../kernel/order.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import { GROUPINGS_MAX, type Grouping } from './schema.ts'

/** Sorts all categories, or all groups, by a list of ids, and returns them (decision 44). */
export function reorderGroupings<S extends Grouping>(
  { db, store }: StoreContext,
  kind: Kind<S>,
  ids: readonly number[],
): Promise<S[]> {
  return inTransaction(db, async (tx) => {
    await q.lockGroupings(tx, store.id, kind)
    checkOrder(await q.lockIds(tx, store.id, kind), ids)
    await q.updatePositions(tx, store.id, kind, ids)
    const all = { limit: GROUPINGS_MAX, offset: 0 }
    return (await q.selectGroupings(tx, store.id, kind, all)).groupings
  })
}
