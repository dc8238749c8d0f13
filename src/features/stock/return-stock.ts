import type { Tx } from '../../db/database.ts'
import type { NewEvent } from '../../events/ledger.ts'
import type { Shop } from '../../shop.ts'
import { asRestocked } from './events.ts'
import * as counters from './queries/counters.ts'
import { returnKeys } from './queries/keys.ts'
import { planReturn, type ReturnedLine } from './stock.rules.ts'

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
  { store }: Shop,
  orderId: string,
  { lines, restock }: Returned,
): Promise<NewEvent[]> {
  const ids = [...new Set(lines.map((line) => line.variant_id))]
  const locked = await counters.lockCounters(tx, store.id, ids)
  const keys = await returnKeys(tx, store.id, orderId, restock ? 'available' : 'revoked')
  const plan = planReturn(locked, lines, restock ? keys : undefined)
  await counters.withdraw(tx, store.id, plan.changes)
  if (plan.added.size === 0) return []
  const products = await counters.selectStocked(tx, store.id, [...plan.added.keys()])
  return products.map((product) => asRestocked(product, plan.added.get(product.id) ?? 0))
}
