import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/zones.ts'
import { planRates, readRates } from './rates.rules.ts'
import type { Zone, ZonePatch } from './schema.ts'
import { checkRegions } from './zones.rules.ts'

/**
 * Changes a zone. Fields left out keep their value; a list of rates, when sent, replaces the one the
 * zone had (specification, "Shipping settings").
 */
export function updateZone(
  { db, store, audit }: StoreContext,
  id: number,
  { rates, ...fields }: ZonePatch,
): Promise<Zone> {
  const sent = rates && readRates(rates)
  const { countries, regions } = fields
  if (countries && regions) checkRegions({ countries, regions })

  return inTransaction(db, async (tx) => {
    const before = found(await q.lockZone(tx, store.id, id), 'Shipping zone')
    checkRegions({ ...before, ...fields })
    const placed = sent && planRates(await q.selectRates(tx, store.id, id), sent)

    audit.changed(before, fields)
    await q.updateZone(tx, store.id, id, fields)
    if (placed) await q.replaceRates(tx, store.id, id, placed)
    return found(await q.selectZone(tx, store.id, id), 'Shipping zone')
  })
}
