import { inTransaction } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { found, notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { slugTaken } from './create-grouping.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import type { CategoryPatch, Grouping } from './schema.ts'

/** Changes a category or a group. Fields left out keep their value; null clears a nullable one. */
export async function updateGrouping<S extends Grouping>(
  { db, store, now }: StoreContext,
  kind: Kind<S>,
  id: number,
  patch: CategoryPatch,
): Promise<S> {
  try {
    return await inTransaction(db, async (tx) => {
      const change = { ...patch, id, updated_at: now }
      if (!(await q.updateGrouping(tx, store.id, kind, change))) throw notFound(kind.name)
      return found(await q.selectGrouping(tx, store.id, kind, id), kind.name)
    })
  } catch (error) {
    if (uniqueViolation(error)) throw slugTaken(kind)
    throw error
  }
}
