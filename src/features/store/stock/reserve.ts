import { isRepeated, type Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { outOfStockEvent } from './events.ts'
import * as q from './queries/index.ts'
import {
  type ExpectedStock,
  expectPlenty,
  isCounted,
  type OrderedLine,
  type PaidLine,
  planReservation,
  type SeenCounters,
  type StockCounters,
  type VariantUnits,
} from './stock.rules.ts'

interface ReservedStock {
  /** The units that each line reserves, in the sequence of the lines. */
  reserved: number[]
  /** The `product.out_of_stock` events to emit. */
  events: NewEvent[]
}

/**
 * Refuses an order with OUT_OF_STOCK if the counters are too low for it. The counters were read
 * without a lock, so a refused buyer does not wait for other orders. This reserves nothing, and
 * `reserve` may still refuse the order.
 */
export function refuseSoldOut(
  counters: readonly StockCounters[],
  lines: readonly OrderedLine[],
): void {
  planReservation(counters, lines)
}

interface CountersOfOrder {
  counters: readonly StockCounters[]
  /** The stock that the change of the counters relies on; undefined if they are locked. */
  expected?: ExpectedStock
}

/**
 * Returns the counters that an order changes. They are locked, unless plenty of its only variant was seen: then the change
 * itself is the first statement that waits for other orders of this variant, and repeats the transaction if it finds too
 * little (decision 518).
 */
export async function countersOf(
  tx: Tx,
  storeId: number,
  lines: readonly (VariantUnits & Partial<PaidLine>)[],
  seen: readonly SeenCounters[] = [],
): Promise<CountersOfOrder> {
  const expected = isRepeated(tx) ? undefined : expectPlenty(seen, lines)
  if (expected) return { counters: seen, expected }
  const ids = [...new Set(lines.map((line) => line.variant_id))]
  return { counters: await q.lockCounters(tx, storeId, ids) }
}

/**
 * Reserves stock for an order until it is paid, cancelled or expired, or throws OUT_OF_STOCK.
 *
 * An order that is paid at once also changes the list counters of its products and bundles (`product_stock`),
 * after its insertion has locked the store's order counter. To prevent a deadlock the list counters
 * are locked here, before that.
 */
export async function reserve(
  tx: Tx,
  { store }: StoreContext,
  lines: readonly (OrderedLine & { bundle_product_id: number | null })[],
  { isPaidAtOnce, seen = [] }: { isPaidAtOnce: boolean; seen?: readonly SeenCounters[] },
): Promise<ReservedStock> {
  // Counters that a reservation does not change are locked, because nothing would compare them with what was seen.
  const changed = isPaidAtOnce ? [] : seen.filter(isCounted)
  const { counters, expected } = await countersOf(tx, store.id, lines, changed)
  if (isPaidAtOnce) {
    const productIds = counters.map((item) => item.product_id)
    const bundleIds = lines.flatMap((line) => line.bundle_product_id ?? [])
    await q.lockListCounters(tx, store.id, [...productIds, ...bundleIds])
  }
  const { reserved, changes, emptiedProductIds } = planReservation(counters, lines)
  await q.addReserved(tx, store.id, changes, expected)
  return { reserved, events: await outOfStockEvents(tx, store.id, emptiedProductIds) }
}

/** Returns an event for each of these products that has no unit left for sale. */
export async function outOfStockEvents(
  tx: Tx,
  storeId: number,
  productIds: ReadonlySet<number>,
): Promise<NewEvent[]> {
  if (productIds.size === 0) return []
  await q.lockStockOfProducts(tx, [...productIds])
  const products = await q.selectStockedProducts(tx, storeId, [...productIds])
  return products.filter(({ stock }) => stock === 0).map(outOfStockEvent)
}

/** Releases the units that an order reserved. */
export async function release(
  tx: Tx,
  { store }: StoreContext,
  reservations: readonly VariantUnits[],
): Promise<void> {
  const changes = new Map<number, number>()
  for (const { variant_id, quantity } of reservations) {
    if (quantity > 0) changes.set(variant_id, (changes.get(variant_id) ?? 0) - quantity)
  }
  if (changes.size === 0) return
  await q.lockCounters(tx, store.id, [...changes.keys()])
  await q.addReserved(tx, store.id, changes)
}
