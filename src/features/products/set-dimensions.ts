import { inTransaction } from '../../db/database.ts'
import type { Shop } from '../../shop.ts'
import * as q from './queries/variants.ts'
import { getVariant, readVariant } from './show-variants.ts'
import type { Dimensions } from './variant-schema.ts'

/** Says how big one unit of a variant is; null means that it is not known. */
export async function setDimensions(
  shop: Shop,
  ref: string,
  variantId: number,
  sizes: Dimensions,
): Promise<{ shipping_dimensions: Dimensions }> {
  return inTransaction(shop.db, async (tx) => {
    await readVariant(shop, tx, ref, variantId)
    const shipping_dimensions = await q.updateDimensions(tx, shop.store.id, variantId, sizes)
    return { shipping_dimensions }
  })
}

export async function getDimensions(
  shop: Shop,
  ref: string,
  variantId: number,
): Promise<{ shipping_dimensions: Dimensions }> {
  await getVariant(shop, ref, variantId)
  return { shipping_dimensions: await q.selectDimensions(shop.db, shop.store.id, variantId) }
}
