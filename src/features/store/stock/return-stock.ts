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
  /** Whether what was taken for them goes back into stock. */
  restock: boolean
}

/**
 * Takes back a refunded order: what it still holds is free again, and its keys are revoked, or go back
 * into stock with everything else that was taken for it. Gives what is to be told.
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

/** What is to be told, once a product, while it is noted that somebody may wait for it. */
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
