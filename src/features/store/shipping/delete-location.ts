import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/locations.ts'

/** Deletes a location. If it was the default, the oldest of the others is (decision 76). */
export function deleteLocation(
  { db, store }: StoreContext,
  id: number,
): Promise<{ deleted: true; id: number }> {
  return inTransaction(db, async (tx) => {
    await q.lockLocations(tx, store.id)
    const { is_default } = found(await q.deleteLocation(tx, store.id, id), 'Location')
    if (is_default) await q.promoteOldest(tx, store.id)
    return { deleted: true, id }
  })
}
