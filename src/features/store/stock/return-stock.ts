import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { restockedEvent } from './events.ts'
import * as q from './queries/index.ts'
import { planReturn, type ReturnedLine, type StockReturn } from './stock.rules.ts'
import { markAlertsOfBuyable } from './watch-stock.ts'

interface ReturnRequest {
  lines: readonly ReturnedLine[]
  /** True if the units that were taken for the lines are added to stock again. */
  restock: boolean
}

/**
 * Releases the units that a refunded order still reserves, and revokes its keys. With `restock`, its
 * keys and all other units that were taken for it are added to stock again. Returns the events to
 * emit.
 */
export async function returnStock(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  { lines, restock }: ReturnRequest,
): Promise<NewEvent[]> {
  const { store } = context
  const variantIds = [...new Set(lines.map((line) => line.variant_id))]
  const lockedCounters = await q.lockCounters(tx, store.id, variantIds)
  const keys = await q.releaseDeliveredKeys(
    tx,
    store.id,
    orderId,
    restock ? 'available' : 'revoked',
  )
  const plan = planReturn(lockedCounters, lines, restock ? keys : undefined)
  await q.subtractUnits(tx, store.id, plan.changes)
  return restockedEvents(tx, context, plan.added)
}

/**
 * Returns one event for each product with added units. Marks its stock alerts as due if a variant
 * with added units can be bought.
 */
export async function restockedEvents(
  tx: Tx,
  context: StoreContext,
  added: StockReturn['added'],
): Promise<NewEvent[]> {
  if (added.length === 0) return []
  const productIds = [...new Set(added.map(({ product_id }) => product_id))]
  const events: NewEvent[] = []
  for (const product of await q.selectStockedProducts(tx, context.store.id, productIds)) {
    const productUnits = added.filter(({ product_id }) => product_id === product.id)
    const units = productUnits.reduce((sum, item) => sum + item.units, 0)
    events.push(restockedEvent(product, units))
    await markAlertsOfBuyable(tx, context, product, (id) =>
      productUnits.some(({ variant_id }) => variant_id === id),
    )
  }
  return events
}
