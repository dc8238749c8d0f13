import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import { newHash } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { useBlobs } from '../../installation/index.ts'
import { insertUnderSlug } from './create-product.ts'
import { asCopy } from './products.rules.ts'
import * as q from './queries/duplicate.ts'
import { lockProduct } from './queries/products.ts'
import type { ProductSections } from './schema.ts'
import { readProduct } from './show-product.ts'

/**
 * Makes a draft copy of a product (specification, "POST /products/{id}/duplicate"): its texts, prices,
 * options, billing, categories and pictures, and none of its keys, stock, files and SKUs.
 */
export async function duplicateProduct(
  context: StoreContext,
  ref: string,
): Promise<ProductSections> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const { id: original } = found(await lockProduct(tx, store.id, ref), 'Product')
    const fields = asCopy(found(await q.selectRow(tx, store.id, original), 'Product'))
    const hash_id = newHash()
    const id = await insertUnderSlug(
      tx,
      store.id,
      { name: fields.name },
      {
        ...fields,
        hash_id,
        created_at: now,
      },
    )
    const copy = { from: original, to: id, created_at: now }
    await q.copyContent(tx, store.id, copy)
    // A picture that is being removed from the original at this moment is not copied.
    const ours = await useBlobs(tx, store.id, await q.selectMediaBlobs(tx, store.id, original))
    await q.copyMedia(tx, store.id, { ...copy, blobs: ours })
    await q.copyVariants(tx, store.id, copy)
    return readProduct(context, tx, hash_id)
  })
}
