import { inTransaction } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/zones.ts'
import { planRates, readRates } from './rates.rules.ts'
import { type NewZone, ZONES_MAX, type Zone } from './schema.ts'
import { checkRegions } from './zones.rules.ts'

/** Makes a shipping zone, with its rates, behind the others. */
export function createZone(
  { db, store }: StoreContext,
  { rates, ...fields }: NewZone,
): Promise<Zone> {
  checkRegions(fields)
  const placed = planRates([], readRates(rates))

  return inTransaction(db, async (tx) => {
    await q.lockZones(tx, store.id)
    if ((await q.countZones(tx, store.id)) >= ZONES_MAX) {
      throw invalid('name', `A store has at most ${ZONES_MAX} shipping zones; delete one first.`)
    }
    const id = await q.insertZone(tx, store.id, fields)
    if (placed.length > 0) await q.replaceRates(tx, store.id, id, placed)
    return found(await q.selectZone(tx, store.id, id), 'Shipping zone')
  })
}
