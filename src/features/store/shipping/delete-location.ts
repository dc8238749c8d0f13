import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'

/** Deletes a location. If it was the default, the oldest of the others becomes it. */
export function deleteLocation({ db, store }: StoreContext, id: number) {
  return inTransaction(db, async (tx) => {
    await q.lockLocations(tx, store.id)
    const { is_default } = requireRecord(await q.deleteLocation(tx, store.id, id), 'Location')
    if (is_default) await q.promoteOldest(tx, store.id)
    return { deleted: true as const, id }
  })
}
