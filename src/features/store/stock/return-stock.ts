import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { asRestocked } from './events.ts'
import * as counters from './queries/counters.ts'
import { returnKeys } from './queries/keys.ts'
import { planReturn, type Return, type ReturnedLine } from './stock.rules.ts'
import { markBuyable } from './watch-stock.ts'

export interface Returned {
  lines: readonly ReturnedLine[]
  /** True if the units that were taken for the lines go back into stock. */
  restock: boolean
}

/**
 * Returns the stock of a refunded order: frees the units that it still holds, and revokes its keys.
 * With `restock`, the keys and all other units that were taken for it go back into stock instead.
 * Returns the events to emit.
 */
export async function returnStock(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  { lines, restock }: Returned,
): Promise<NewEvent[]> {
  const { store } = context
  const ids = [...new Set(lines.map((line) => line.variant_id))]
  const locked = await counters.lockCounters(tx, store.id, ids)
  const keys = await returnKeys(tx, store.id, orderId, restock ? 'available' : 'revoked')
  const plan = planReturn(locked, lines, restock ? keys : undefined)
  await counters.withdraw(tx, store.id, plan.changes)
  return emitAdded(tx, context, plan.added)
}

/**
 * Returns one event for each product with added units. Marks stock alerts as due if an added
 * variant can be bought.
 */
export async function emitAdded(
  tx: Tx,
  context: StoreContext,
  added: Return['added'],
): Promise<NewEvent[]> {
  if (added.length === 0) return []
  const ids = [...new Set(added.map(({ product_id }) => product_id))]
  const events: NewEvent[] = []
  for (const product of await counters.selectStocked(tx, context.store.id, ids)) {
    const own = added.filter(({ product_id }) => product_id === product.id)
    const units = own.reduce((sum, item) => sum + item.units, 0)
    events.push(asRestocked(product, units))
    await markBuyable(tx, context, product, (id) => own.some(({ variant_id }) => variant_id === id))
  }
  return events
}
