import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { asOutOfStock } from './events.ts'
import * as q from './queries/counters.ts'
import { type Counters, type OrderedLine, planReservation, type Wanted } from './stock.rules.ts'

export interface Reserved {
  /** Units that each line holds now, in their order. */
  held: number[]
  /** What is to be told: products that just ran out. */
  events: NewEvent[]
}

/**
 * Refuses with OUT_OF_STOCK what counters cannot serve that were read in one statement, without a lock.
 * The order is refused as if it had come at that moment, so a refused buyer waits for no other's order.
 * Nothing is held: what is not refused here may still be refused by `reserve`.
 */
export function refuseSoldOut(counters: readonly Counters[], wanted: readonly OrderedLine[]): void {
  planReservation(counters, wanted)
}

/**
 * Holds stock for an order until it is paid, cancelled or expired, or refuses with OUT_OF_STOCK. One
 * that is `paid_at_once` locks here what its sale will count: its number comes in between, for which
 * all orders of the store queue, and some of these hold such locks.
 */
export async function reserve(
  tx: Tx,
  { store }: StoreContext,
  wanted: readonly OrderedLine[],
  { paid_at_once }: { paid_at_once: boolean },
): Promise<Reserved> {
  const ids = [...new Set(wanted.map((line) => line.variant_id))]
  const counters = await q.lockCounters(tx, store.id, ids)
  if (paid_at_once) {
    const products = counters.map((item) => item.product_id)
    await q.lockLists(tx, store.id, products)
  }
  const { held, changes, emptied } = planReservation(counters, wanted)
  await q.addReserved(tx, store.id, changes)
  return { held, events: await ranOut(tx, store.id, emptied) }
}

/** Which of the products that lost their last unit of a variant have nothing left to sell at all. */
export async function ranOut(
  tx: Tx,
  storeId: number,
  productIds: ReadonlySet<number>,
): Promise<NewEvent[]> {
  if (productIds.size === 0) return []
  await q.lockProducts(tx, [...productIds])
  const products = await q.selectStocked(tx, storeId, [...productIds])
  return products.filter(({ stock }) => stock === 0).map(asOutOfStock)
}

/** Gives back what an order held. */
export async function release(
  tx: Tx,
  { store }: StoreContext,
  held: readonly Wanted[],
): Promise<void> {
  const changes = new Map<number, number>()
  for (const { variant_id, quantity } of held) {
    if (quantity > 0) changes.set(variant_id, (changes.get(variant_id) ?? 0) - quantity)
  }
  if (changes.size === 0) return
  await q.lockCounters(tx, store.id, [...changes.keys()])
  await q.addReserved(tx, store.id, changes)
}
