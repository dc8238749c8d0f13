import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { StockPatch, VariantStock } from './schema.ts'
import { readStock } from './show-stock.ts'
import type { QuantityChange } from './stock.rules.ts'
import { setQuantity, watchStock } from './watch-stock.ts'

/** Sets the quantity of a variant, or changes it by a number of units. */
export async function updateStock(
  context: StoreContext,
  productRef: string,
  variantId: number,
  patch: StockPatch,
): Promise<{ stock: VariantStock }> {
  return inTransaction(context.db, async (tx) => {
    const { product_id } = requireRecord(
      await q.selectVariant(tx, context.store.id, productRef, variantId),
      'Variant',
    )
    const ids = { product_id, variant_id: variantId }
    await watchStock(tx, context, product_id, async () => {
      const units = await setQuantity(tx, context, ids, patch as QuantityChange)
      const { quantity } = patch
      if (quantity !== undefined)
        context.audit.reportChange({ quantity: quantity - units }, { quantity })
    })
    return readStock(context, tx, variantId)
  })
}
