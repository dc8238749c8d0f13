import type { Tx } from '../../db/database.ts'
import type { NewEvent } from '../../events/ledger.ts'
import type { Shop } from '../../shop.ts'
import { type LockedOrder, markShipped } from '../orders/index.ts'
import { shippedSoFar } from './parcels.rules.ts'
import { selectShipped } from './queries.ts'

/** Writes into an order how much of it is on its way, and gives what is to be told of that. */
export async function noteShipped(tx: Tx, shop: Shop, order: LockedOrder): Promise<NewEvent[]> {
  const { bought, shipped } = await selectShipped(tx, shop.store.id, order.id)
  return markShipped(tx, shop, order, shippedSoFar(bought, shipped))
}
