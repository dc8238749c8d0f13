import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import { outOfStockEvent } from './events.ts'
import * as q from './queries/index.ts'
import {
  type OrderedLine,
  planReservation,
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
  { isPaidAtOnce }: { isPaidAtOnce: boolean },
): Promise<ReservedStock> {
  const ids = [...new Set(lines.map((line) => line.variant_id))]
  const counters = await q.lockCounters(tx, store.id, ids)
  if (isPaidAtOnce) {
    const productIds = counters.map((item) => item.product_id)
    const bundleIds = lines.flatMap((line) => line.bundle_product_id ?? [])
    await q.lockListCounters(tx, store.id, [...productIds, ...bundleIds])
  }
  const { reserved, changes, emptiedProductIds } = planReservation(counters, lines)
  await q.addReserved(tx, store.id, changes)
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
