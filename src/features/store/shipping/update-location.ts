import { inTransaction } from '../../../db/database.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Location, LocationPatch } from './location-schema.ts'
import * as q from './queries/index.ts'

/** Changes a location. A new default location replaces the former one. */
export function updateLocation(
  { db, store, audit }: StoreContext,
  id: number,
  patch: LocationPatch,
): Promise<Location> {
  return inTransaction(db, async (tx) => {
    await q.lockLocations(tx, store.id)
    const before = requireRecord(await q.selectLocation(tx, store.id, id), 'Location')
    if (before.is_default && patch.is_default === false) {
      throw invalid('is_default', 'Make another location the default instead.')
    }
    if (patch.is_default && !before.is_default) await q.clearDefault(tx, store.id)
    audit.reportChange(before, patch)
    await q.updateLocation(tx, store.id, id, patch)
    return requireRecord(await q.selectLocation(tx, store.id, id), 'Location')
  })
}
