import { inTransaction } from '../../../db/database.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import { planRates, readRates } from './rates.rules.ts'
import { type NewZone, ZONES_MAX, type Zone } from './schema.ts'
import { checkRegions } from './zones.rules.ts'

/** Creates a shipping zone with its rates, at the last position. */
export function createZone(
  { db, store }: StoreContext,
  { rates, ...fields }: NewZone,
): Promise<Zone> {
  checkRegions(fields)
  const rateRows = planRates([], readRates(rates))

  return inTransaction(db, async (tx) => {
    await q.lockZones(tx, store.id)
    if ((await q.countZones(tx, store.id)) >= ZONES_MAX) {
      throw invalid('name', `A store has at most ${ZONES_MAX} shipping zones. Delete one first.`)
    }
    const id = await q.insertZone(tx, store.id, fields)
    if (rateRows.length > 0) await q.replaceRates(tx, store.id, id, rateRows)
    return requireRecord(await q.selectZone(tx, store.id, id), 'Shipping zone')
  })
}
