import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { asOutOfStock } from './events.ts'
import * as q from './queries/counters.ts'
import { type Counters, type OrderedLine, planReservation, type Wanted } from './stock.rules.ts'

export interface Reserved {
  /** The units that each line holds now, in the sequence of the lines. */
  held: number[]
  /** Events to emit: products that just ran out. */
  events: NewEvent[]
}

/**
 * Refuses an order with OUT_OF_STOCK if the counters cannot serve it. The counters were read in one
 * statement, without a lock, so a refused buyer does not wait for other orders. Nothing is
 * reserved: `reserve` may still refuse the order.
 */
export function refuseSoldOut(counters: readonly Counters[], wanted: readonly OrderedLine[]): void {
  planReservation(counters, wanted)
}

/**
 * Reserves stock for an order until it is paid, cancelled or expired, or throws OUT_OF_STOCK. An
 * order that is `paid_at_once` also locks the list counters here that its sale will change. Its
 * number is assigned before that sale: all orders of the store queue for the number, and some of
 * them hold such locks.
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

/** Returns an event for each of these products that has nothing left to sell at all. */
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

/** Frees the units that an order reserved. */
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
