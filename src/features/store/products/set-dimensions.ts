import { inTransaction } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import { getVariant, readVariant } from './show-variants.ts'
import type { Dimensions } from './variant-schema.ts'

/** Sets the dimensions of one unit of a variant. */
export async function setDimensions(
  context: StoreContext,
  ref: string,
  variantId: number,
  dimensions: Dimensions,
) {
  return inTransaction(context.db, async (tx) => {
    await readVariant(context, tx, ref, variantId)
    const before = await q.lockDimensions(tx, context.store.id, variantId)
    const shipping_dimensions = await q.updateDimensions(
      tx,
      context.store.id,
      variantId,
      dimensions,
    )
    context.audit.reportChange(before, shipping_dimensions)
    return { shipping_dimensions }
  })
}

export async function getDimensions(context: StoreContext, ref: string, variantId: number) {
  await getVariant(context, ref, variantId)
  return { shipping_dimensions: await q.selectDimensions(context.db, context.store.id, variantId) }
}
