import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import { planRates, readRates } from './rates.rules.ts'
import type { Zone, ZonePatch } from './schema.ts'
import { checkRegions } from './zones.rules.ts'

/**
 * Changes a zone. Absent fields keep their values. A list of rates replaces all rates of the zone
 * (specification, "Shipping settings").
 */
export function updateZone(
  { db, store, audit }: StoreContext,
  id: number,
  { rates, ...fields }: ZonePatch,
): Promise<Zone> {
  const requestedRates = rates && readRates(rates)
  const { countries, regions } = fields
  if (countries && regions) checkRegions({ countries, regions })

  return inTransaction(db, async (tx) => {
    const before = requireRecord(await q.lockZone(tx, store.id, id), 'Shipping zone')
    checkRegions({ ...before, ...fields })
    const formerRates = requestedRates ? await q.selectRates(tx, store.id, id) : []
    const rateRows = requestedRates && planRates(formerRates, requestedRates)

    await q.updateZone(tx, store.id, id, fields)
    if (rateRows) await q.replaceRates(tx, store.id, id, rateRows)
    const zone = requireRecord(await q.selectZone(tx, store.id, id), 'Shipping zone')
    audit.reportChange(
      { ...before, rates: formerRates },
      { ...fields, ...(rateRows && { rates: zone.rates }) },
    )
    return zone
  })
}
