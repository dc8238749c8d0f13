import { inTransaction } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/variants.ts'
import { getVariant, readVariant } from './show-variants.ts'
import type { Dimensions } from './variant-schema.ts'

/** Says how big one unit of a variant is; null means that it is not known. */
export async function setDimensions(
  context: StoreContext,
  ref: string,
  variantId: number,
  sizes: Dimensions,
): Promise<{ shipping_dimensions: Dimensions }> {
  return inTransaction(context.db, async (tx) => {
    await readVariant(context, tx, ref, variantId)
    const shipping_dimensions = await q.updateDimensions(tx, context.store.id, variantId, sizes)
    return { shipping_dimensions }
  })
}

export async function getDimensions(
  context: StoreContext,
  ref: string,
  variantId: number,
): Promise<{ shipping_dimensions: Dimensions }> {
  await getVariant(context, ref, variantId)
  return { shipping_dimensions: await q.selectDimensions(context.db, context.store.id, variantId) }
}
