import { inTransaction } from '../../../db/database.ts'
import { checkOrder } from '../../../kernel/order.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/zones.ts'
import { ZONES_MAX, type Zone, type ZoneOrder } from './schema.ts'

/** Sorts the zones by a list of ids, and returns all of them (decision 44). */
export function reorderZones({ db, store }: StoreContext, { ids }: ZoneOrder): Promise<Zone[]> {
  return inTransaction(db, async (tx) => {
    await q.lockZones(tx, store.id)
    checkOrder(await q.selectZoneIds(tx, store.id), ids)
    await q.updatePositions(tx, store.id, ids)
    return q.selectZones(tx, store.id, { limit: ZONES_MAX, offset: 0 })
  })
}
