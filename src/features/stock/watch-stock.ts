import type { Tx } from '../../db/database.ts'
import { invalidState } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { noteDue } from '../stock-alerts/index.ts'
import { asDeleted, asOutOfStock, asRestocked } from './events.ts'
import * as counters from './queries/counters.ts'
import { countAvailable } from './queries/keys.ts'
import { type Change, planQuantity } from './stock.rules.ts'

export interface Place {
  product_id: number
  variant_id: number
}

/**
 * Makes a change of a product or its variants while nobody sells them. Tells of it if the product ran
 * out of stock by it: what is sold less, what is counted in another way, what is off the shelf. Notes
 * that somebody may wait for what can be bought since.
 */
export async function watchStock(
  tx: Tx,
  shop: Shop,
  productId: number,
  change: () => Promise<void>,
): Promise<void> {
  const { store, emit } = shop
  await counters.lockCountersOf(tx, store.id, productId)
  const [before] = await counters.selectStocked(tx, store.id, [productId])
  await change()
  await counters.countSellable(tx, store.id, productId)
  const [after] = await counters.selectStocked(tx, store.id, [productId])
  const ranOut = before && before.stock !== 0 && after?.stock === 0
  if (ranOut) await emit(tx, [asOutOfStock(after)])
  if (after) await noteBuyable(tx, shop, after, (id) => !before?.buyable.includes(id))
}

/** Notes that somebody may wait for these variants of a product, where one can be bought. */
export async function noteBuyable(
  tx: Tx,
  shop: Shop,
  { id, buyable }: counters.StockedProduct,
  isMeant: (variantId: number) => boolean,
): Promise<void> {
  if (buyable.some(isMeant)) await noteDue(tx, shop, id)
}

/**
 * Tells that units were added to a product, once a call, and notes that somebody may wait for them; of
 * none nobody is told.
 */
export async function tellRestocked(
  tx: Tx,
  shop: Shop,
  place: Place,
  added: number,
): Promise<void> {
  if (added <= 0) return
  const [product] = await counters.selectStocked(tx, shop.store.id, [place.product_id])
  if (!product) return
  await shop.emit(tx, [asRestocked(product, added)])
  await noteBuyable(tx, shop, product, (id) => id === place.variant_id)
}

/** Tells that a product is gone, and notes that nobody needs to wait for it. */
export async function tellDeleted(tx: Tx, shop: Shop, productId: number): Promise<void> {
  const [product] = await counters.selectStocked(tx, shop.store.id, [productId])
  if (product) await shop.emit(tx, [asDeleted(product)])
  await noteDue(tx, shop, productId)
}

/** A variant is counted in another way from now on. The counters are locked already. */
export const noteMode = (tx: Tx, { store }: Shop, variantId: number): Promise<void> =>
  counters.noteMode(tx, store.id, variantId)

/** Stock on hand becomes the number of available keys. The counters are locked already. */
export async function countKeys(tx: Tx, { store }: Shop, variantId: number): Promise<void> {
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
 * Sets or moves what can be sold of a variant whose quantity the seller keeps; what unpaid orders hold
 * stays theirs (decision 91). Tells of what was added.
 */
export async function setQuantity(tx: Tx, shop: Shop, place: Place, change: Change): Promise<void> {
  const { store } = shop
  const [stock] = await counters.lockCounters(tx, store.id, [place.variant_id])
  if (!stock) throw new Error('A variant without counters.')
  const units = planQuantity(stock, change)
  if (units !== 0) await counters.addOnHand(tx, store.id, place.variant_id, units)
  await tellRestocked(tx, shop, place, units)
}
