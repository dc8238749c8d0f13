import type { Tx } from '../../../db/database.ts'
import { invalidState } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { markAlertsDue } from '../stock-alerts/index.ts'
import { asDeleted, asOutOfStock, asRestocked } from './events.ts'
import * as counters from './queries/counters.ts'
import { countAvailable } from './queries/keys.ts'
import { type Change, planQuantity } from './stock.rules.ts'

export interface VariantIds {
  product_id: number
  variant_id: number
}

/**
 * Changes a product or its variants while no sale can happen. Emits an event if the product ran out
 * of stock by the change: by a lower quantity, by another way of counting, or because a variant is
 * not on sale any more. Marks stock alerts as due if more variants can be bought than before.
 */
export async function watchStock(
  tx: Tx,
  context: StoreContext,
  productId: number,
  change: () => Promise<void>,
): Promise<void> {
  const { store, emit } = context
  await counters.lockCountersOf(tx, store.id, productId)
  const [before] = await counters.selectStocked(tx, store.id, [productId])
  await change()
  await counters.countSellable(tx, store.id, productId)
  const [after] = await counters.selectStocked(tx, store.id, [productId])
  const ranOut = before && before.stock !== 0 && after?.stock === 0
  if (ranOut) await emit(tx, [asOutOfStock(after)])
  if (after) await markBuyable(tx, context, after, (id) => !before?.buyable.includes(id))
}

/** Marks the stock alerts of a product as due, if one of these variants can be bought. */
export async function markBuyable(
  tx: Tx,
  context: StoreContext,
  { id, buyable }: counters.StockedProduct,
  isMeant: (variantId: number) => boolean,
): Promise<void> {
  if (buyable.some(isMeant)) await markAlertsDue(tx, context, id)
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
  const [product] = await counters.selectStocked(tx, context.store.id, [ids.product_id])
  if (!product) return
  await context.emit(tx, [asRestocked(product, added)])
  await markBuyable(tx, context, product, (id) => id === ids.variant_id)
}

/** Emits an event for a deleted product, and marks its stock alerts as due, so that they end. */
export async function emitDeleted(tx: Tx, context: StoreContext, productId: number): Promise<void> {
  const [product] = await counters.selectStocked(tx, context.store.id, [productId])
  if (product) await context.emit(tx, [asDeleted(product)])
  await markAlertsDue(tx, context, productId)
}

/**
 * Records that a variant is counted in another way from now on. The counters are locked already.
 */
export const markModeChanged = (
  tx: Tx,
  { store }: StoreContext,
  variantId: number,
): Promise<void> => counters.markModeChanged(tx, store.id, variantId)

/** Sets stock on hand to the number of available keys. The counters are locked already. */
export async function countKeys(tx: Tx, { store }: StoreContext, variantId: number): Promise<void> {
  const [stock] = await counters.lockCounters(tx, store.id, [variantId])
  const keys = (await countAvailable(tx, store.id, [variantId])).get(variantId) ?? 0
  if (!stock) return
  if (keys < stock.reserved) {
    const why = `Unpaid orders hold ${stock.reserved} units, and there are ${keys} keys; add keys first.`
    throw invalidState(stock.stock_mode, why)
  }
  await counters.addOnHand(tx, store.id, variantId, keys - stock.on_hand)
}

/**
 * Sets or changes the units to sell of a variant whose quantity the seller maintains. Unpaid orders
 * keep the units that they hold (decision 91). Emits an event for added units.
 */
export async function setQuantity(
  tx: Tx,
  context: StoreContext,
  ids: VariantIds,
  change: Change,
): Promise<void> {
  const { store } = context
  const [stock] = await counters.lockCounters(tx, store.id, [ids.variant_id])
  if (!stock) throw new Error('A variant without counters.')
  const units = planQuantity(stock, change)
  if (units !== 0) await counters.addOnHand(tx, store.id, ids.variant_id, units)
  await emitRestocked(tx, context, ids, units)
}
