import type { Tx } from '../../../db/database.ts'
import { counted } from '../../../kernel/counted.ts'
import { invalidState } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { markAlertsDue } from '../stock-alerts/index.ts'
import { deletedEvent, outOfStockEvent, restockedEvent } from './events.ts'
import * as q from './queries/index.ts'
import { planQuantity, type QuantityChange } from './stock.rules.ts'

export interface VariantIds {
  product_id: number
  variant_id: number
}

/**
 * Changes a product or its variants while no sale can happen. Emits an event if the product runs out
 * of stock by the change: by a lower quantity, by another stock mode, or because a variant is no
 * longer on sale. Marks stock alerts as due if more variants can be bought than before.
 */
export async function watchStock(
  tx: Tx,
  context: StoreContext,
  productId: number,
  change: () => Promise<void>,
): Promise<void> {
  const { store, emit } = context
  await q.lockCountersOfProduct(tx, store.id, productId)
  const [before] = await q.selectStockedProducts(tx, store.id, [productId])
  await change()
  await q.updateSellableCount(tx, store.id, productId)
  const [after] = await q.selectStockedProducts(tx, store.id, [productId])
  const hasRunOut = before && before.stock !== 0 && after?.stock === 0
  if (hasRunOut) await emit(tx, [outOfStockEvent(after)])
  if (after) await markAlertsOfBuyable(tx, context, after, (id) => !before?.buyable.includes(id))
}

/** Marks the stock alerts of a product as due if a variant that matches can be bought. */
export async function markAlertsOfBuyable(
  tx: Tx,
  context: StoreContext,
  { id, buyable }: q.StockedProduct,
  matches: (variantId: number) => boolean,
): Promise<void> {
  if (buyable.some(matches)) await markAlertsDue(tx, context, id)
}

/**
 * Emits one event for the units that were added to a product, and marks its stock alerts as due.
 * Does nothing if no units were added.
 */
export async function emitRestocked(
  tx: Tx,
  context: StoreContext,
  ids: VariantIds,
  added: number,
): Promise<void> {
  if (added <= 0) return
  const [product] = await q.selectStockedProducts(tx, context.store.id, [ids.product_id])
  if (!product) return
  await context.emit(tx, [restockedEvent(product, added)])
  await markAlertsOfBuyable(tx, context, product, (id) => id === ids.variant_id)
}

/** Emits an event for a deleted product, and marks its stock alerts as due; the job then ends them. */
export async function emitDeleted(tx: Tx, context: StoreContext, productId: number): Promise<void> {
  const [product] = await q.selectStockedProducts(tx, context.store.id, [productId])
  if (product) await context.emit(tx, [deletedEvent(product)])
  await markAlertsDue(tx, context, productId)
}

/** Sets stock on hand to the number of available keys. The caller has locked the counters. */
export async function setOnHandToKeyCount(
  tx: Tx,
  { store }: StoreContext,
  variantId: number,
): Promise<void> {
  const [stock] = await q.lockCounters(tx, store.id, [variantId])
  const keyCount = (await q.countAvailable(tx, store.id, [variantId])).get(variantId) ?? 0
  if (!stock) return
  if (keyCount < stock.reserved) {
    const message = `Unpaid orders reserve ${counted(stock.reserved, 'unit')}, and the variant has ${counted(keyCount, 'key')}. Add keys first.`
    throw invalidState(stock.stock_mode, message)
  }
  await q.addOnHand(tx, store.id, variantId, keyCount - stock.on_hand)
}

/**
 * Sets or changes the quantity of a variant whose `stock_mode` is `manual`. Unpaid orders keep the
 * units that they reserve. Emits an event for added units. Returns the added units.
 */
export async function setQuantity(
  tx: Tx,
  context: StoreContext,
  ids: VariantIds,
  change: QuantityChange,
): Promise<number> {
  const { store } = context
  const [stock] = await q.lockCounters(tx, store.id, [ids.variant_id])
  if (!stock) throw new Error(`Variant ${ids.variant_id} has no stock counters.`)
  const units = planQuantity(stock, change)
  if (units !== 0) await q.addOnHand(tx, store.id, ids.variant_id, units)
  await emitRestocked(tx, context, ids, units)
  return units
}
