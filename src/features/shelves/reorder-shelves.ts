import { inTransaction } from '../../db/database.ts'
import { checkOrder } from '../../kernel/order.ts'
import type { Shop } from '../../shop.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import { SHELVES_MAX, type Shelf } from './schema.ts'

/** Gives all categories, or all groups, a new order, and shows them in it (decision 44). */
export function reorderShelves<S extends Shelf>(
  { db, store }: Shop,
  kind: Kind<S>,
  ids: readonly number[],
): Promise<S[]> {
  return inTransaction(db, async (tx) => {
    await q.lockShelves(tx, store.id, kind)
    checkOrder(await q.lockIds(tx, store.id, kind), ids)
    await q.updatePositions(tx, store.id, kind, ids)
    const all = { limit: SHELVES_MAX, offset: 0 }
    return (await q.selectShelves(tx, store.id, kind, all)).shelves
  })
}
