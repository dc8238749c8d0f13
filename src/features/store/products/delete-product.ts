import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { dropBlobs } from '../../installation/index.ts'
import { emitDeleted } from '../stock/index.ts'
import * as q from './queries/products.ts'

/**
 * Deletes a product. Orders keep their copies of its fields, and customers the files that they
 * bought; its slug and SKUs are free again.
 */
export async function deleteProduct(
  context: StoreContext,
  ref: string,
): Promise<{ deleted: true; id: string }> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const product = found(await q.lockProduct(tx, store.id, ref), 'Product')
    await emitDeleted(tx, context, product.id)
    await q.replaceCategories(tx, store.id, product.id, [])
    await q.markDeleted(tx, store.id, product.id, now)
    await dropBlobs(tx, store.id, await q.deleteMediaOf(tx, store.id, product.id))
    return { deleted: true, id: product.hash_id }
  })
}
