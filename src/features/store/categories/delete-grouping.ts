import { inTransaction } from '../../../db/database.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import type { Grouping } from './schema.ts'

/** Deletes a category or a group, but not its products. */
export function deleteGrouping({ db, store }: StoreContext, kind: Kind<Grouping>, id: number) {
  return inTransaction(db, async (tx) => {
    await q.lockGroupings(tx, store.id, kind)
    if (!(await q.deleteGrouping(tx, store.id, kind, id))) throw notFound(kind.name)
    return { deleted: true as const, id }
  })
}
