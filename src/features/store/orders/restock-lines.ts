import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { restock } from '../stock/index.ts'
import { addRestocked, type ItemRow } from './queries/items.ts'

/**
 * Puts units of an order's lines back into stock, and returns the events to record. A unit comes back once,
 * and only if it was taken from stock. The order is locked.
 */
export async function restockLines(
  tx: Tx,
  context: StoreContext,
  lines: readonly ItemRow[],
  units: ReadonlyMap<number, number>,
): Promise<NewEvent[]> {
  const back = lines
    .filter((line) => line.served)
    .map(({ id, variant_id, quantity, restocked }) => ({
      id,
      variant_id,
      quantity: Math.min(units.get(id) ?? 0, quantity - restocked),
    }))
    .filter((line) => line.quantity > 0)
  if (back.length === 0) return []
  await addRestocked(tx, context.store.id, back)
  return restock(tx, context, back)
}
