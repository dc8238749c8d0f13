import { inTransaction } from '../../../db/database.ts'
import { checkListsEachId } from '../../../kernel/sorted-ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import { ZONES_MAX, type Zone, type ZoneOrder } from './schema.ts'

/** Sorts the zones in the sequence of the ids, and returns all zones (decision 44). */
export function reorderZones(
  { db, store, audit }: StoreContext,
  { ids }: ZoneOrder,
): Promise<Zone[]> {
  return inTransaction(db, async (tx) => {
    await q.lockZones(tx, store.id)
    checkListsEachId(await q.selectZoneIds(tx, store.id), ids)
    if (!(await q.updatePositions(tx, store.id, ids))) audit.skipEvent()
    return q.selectZones(tx, store.id, { limit: ZONES_MAX, offset: 0 })
  })
}
