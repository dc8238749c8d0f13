import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { newHash } from '../../../kernel/ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { addBlobUses } from '../../installation/index.ts'
import { insertWithSlug } from './create-product.ts'
import { copyOf } from './products.rules.ts'
import * as q from './queries/index.ts'
import type { ProductSections } from './schema.ts'
import { readProduct } from './show-product.ts'

/**
 * Creates a draft copy of a product (specification, "POST /products/{id}/duplicate"). Texts, prices,
 * options, billing, categories and media are copied. Keys, stock, files and SKUs are not.
 */
export async function duplicateProduct(
  context: StoreContext,
  ref: string,
): Promise<ProductSections> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const { id: originalId } = requireRecord(await q.lockProduct(tx, store.id, ref), 'Product')
    const fields = copyOf(
      requireRecord(await q.selectCopiedRow(tx, store.id, originalId), 'Product'),
    )
    const hash_id = newHash()
    const id = await insertWithSlug(
      tx,
      store.id,
      { name: fields.name },
      {
        ...fields,
        hash_id,
        created_at: now,
      },
    )
    const copy = { sourceId: originalId, copyId: id, created_at: now }
    await q.copyContent(tx, store.id, copy)
    // A blob that another transaction is deleting now is not copied.
    const usableBlobs = await addBlobUses(
      tx,
      store.id,
      await q.selectMediaBlobs(tx, store.id, originalId),
    )
    await q.copyMedia(tx, store.id, { ...copy, blobs: usableBlobs })
    await q.copyVariants(tx, store.id, copy)
    return readProduct(context, tx, hash_id)
  })
}
