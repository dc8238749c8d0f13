import { inTransaction } from '../../db/database.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import type { Shelf } from './schema.ts'

/** Deletes a category or a group. Its products stay. */
export function deleteShelf(
  { db, store }: Shop,
  kind: Kind<Shelf>,
  id: number,
): Promise<{ deleted: true; id: number }> {
  return inTransaction(db, async (tx) => {
    await q.lockShelves(tx, store.id, kind)
    if (!(await q.deleteShelf(tx, store.id, kind, id))) throw notFound(kind.name)
    return { deleted: true, id }
  })
}
