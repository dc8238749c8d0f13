import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { emitRestocked, watchStock } from '../stock/index.ts'
import { refuseProductDuplicates } from './create-product.ts'
import * as q from './queries/index.ts'
import { readVariant } from './show-variants.ts'
import type { NewVariant } from './variant-schema.ts'
import { planVariant } from './variants.rules.ts'

/** Adds a variant to a product. Without a price it gets the product's price (decision 27). */
export async function createVariant(context: StoreContext, ref: string, body: NewVariant) {
  const { store, now } = context
  return refuseProductDuplicates(() =>
    inTransaction(context.db, async (tx) => {
      const product = requireRecord(await q.lockProduct(tx, store.id, ref), 'Product')
      const siblings = await q.selectVariants(tx, store.id, ref)
      const row = planVariant(product, siblings, body)
      let id = 0
      await watchStock(tx, context, product.id, async () => {
        if (row.is_default) await q.demoteDefault(tx, store.id, product.id, now)
        const variants = { created_at: now, variants: [row] }
        id = (await q.insertVariants(tx, store.id, product.id, variants))[0] ?? 0
        if (row.is_default) await q.copyDefaultPrice(tx, store.id, product.id, now)
      })
      const ids = { product_id: product.id, variant_id: id }
      await emitRestocked(tx, context, ids, row.stock_quantity)
      return readVariant(context, tx, product.id, id)
    }),
  )
}
