import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as counters from './queries/counters.ts'
import { emitAdded } from './return-stock.ts'
import { planReturn, type Wanted } from './stock.rules.ts'

/** Keys never come back with a parcel. */
const NO_KEYS: ReadonlyMap<number, number> = new Map()

/**
 * Puts units that came back into stock where their quantity is tracked, and returns the `product.restocked`
 * events to record.
 */
export async function restock(
  tx: Tx,
  context: StoreContext,
  units: readonly Wanted[],
): Promise<NewEvent[]> {
  const { store } = context
  const ids = [...new Set(units.map((item) => item.variant_id))]
  const locked = await counters.lockCounters(tx, store.id, ids)
  const lines = units.map((item) => ({ ...item, held: 0, served: true }))
  const plan = planReturn(locked, lines, NO_KEYS)
  await counters.withdraw(tx, store.id, plan.changes)
  return emitAdded(tx, context, plan.added)
}
