import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import { restockedEvents } from './return-stock.ts'
import { planReturn, type ReturnedLine, type VariantUnits } from './stock.rules.ts'

/** A parcel that a customer sends back contains no stock keys. */
const NO_KEYS: ReadonlyMap<number, number> = new Map()

/**
 * Adds units of physical returns to stock if their variants are counted. Returns the
 * `product.restocked` events to emit.
 */
export const restock = (
  tx: Tx,
  context: StoreContext,
  units: readonly VariantUnits[],
): Promise<NewEvent[]> =>
  returnUnits(
    tx,
    context,
    units.map((item) => ({ ...item, reserved: 0, owed: 0, served: true })),
  )

/**
 * Releases the units that lines reserve or wait for, and adds those that were taken for them to stock if their variants
 * are counted. None of them has a key. Returns the `product.restocked` events to emit.
 */
export async function returnUnits(
  tx: Tx,
  context: StoreContext,
  lines: readonly ReturnedLine[],
): Promise<NewEvent[]> {
  const { store } = context
  const ids = [...new Set(lines.map((line) => line.variant_id))]
  const lockedCounters = await q.lockCounters(tx, store.id, ids)
  const plan = planReturn(lockedCounters, lines, NO_KEYS)
  await q.subtractUnits(tx, store.id, plan.changes)
  return restockedEvents(tx, context, plan.added)
}
