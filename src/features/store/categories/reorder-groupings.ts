import { inTransaction } from '../../../db/database.ts'
import { checkListsEachId } from '../../../kernel/sorted-ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import { GROUPINGS_MAX, type Grouping } from './schema.ts'

/** Sorts all categories, or all groups, in the sequence of the ids, and returns them (decision 44). */
export function reorderGroupings<S extends Grouping>(
  { db, store, audit }: StoreContext,
  kind: Kind<S>,
  ids: readonly number[],
): Promise<S[]> {
  return inTransaction(db, async (tx) => {
    await q.lockGroupings(tx, store.id, kind)
    checkListsEachId(await q.lockRowsOfKind(tx, store.id, kind), ids)
    if (!(await q.updatePositions(tx, store.id, kind, ids))) audit.skipEvent()
    const wholeList = { limit: GROUPINGS_MAX, offset: 0 }
    return (await q.selectGroupings(tx, store.id, kind, wholeList)).groupings
  })
}
