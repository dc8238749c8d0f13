import { inTransaction } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { slugInUse } from './create-grouping.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import type { CategoryPatch, Grouping } from './schema.ts'

/** Changes a category or a group. Absent fields keep their values; null clears a nullable field. */
export async function updateGrouping<S extends Grouping>(
  { db, store, now, audit }: StoreContext,
  kind: Kind<S>,
  id: number,
  patch: CategoryPatch,
): Promise<S> {
  try {
    return await inTransaction(db, async (tx) => {
      await q.lockGrouping(tx, store.id, kind, id)
      const before = requireRecord(await q.selectGrouping(tx, store.id, kind, id), kind.name)
      if (isEmptyChange(patch)) return before
      await q.updateGrouping(tx, store.id, kind, { ...patch, id, updated_at: now })
      audit.reportChange(before, patch)
      return requireRecord(await q.selectGrouping(tx, store.id, kind, id), kind.name)
    })
  } catch (error) {
    if (uniqueViolation(error)) throw slugInUse(kind)
    throw error
  }
}
