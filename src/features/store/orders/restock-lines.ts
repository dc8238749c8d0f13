import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import * as q from './queries/index.ts'

/**
 * Adds returned units of an order's lines to stock, and returns the events to emit. Each unit is added
 * once, and only if it was taken from stock. The caller has locked the order.
 */
export async function restockLines(
  tx: Tx,
  context: StoreContext,
  lines: readonly q.ItemRow[],
  returnedUnits: ReadonlyMap<number, number>,
): Promise<NewEvent[]> {
  const restockedLines = lines
    .filter((line) => line.served)
    .map(({ id, variant_id, quantity, restocked }) => ({
      id,
      variant_id,
      quantity: Math.min(returnedUnits.get(id) ?? 0, quantity - restocked),
    }))
    .filter((line) => line.quantity > 0)
  if (restockedLines.length === 0) return []
  await q.addRestocked(tx, context.store.id, restockedLines)
  return ORDER_LIFE.restocked.stock.add(tx, context, restockedLines)
}
