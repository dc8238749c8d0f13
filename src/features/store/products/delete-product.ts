import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { releaseBlobs } from '../../installation/index.ts'
import { emitDeleted } from '../stock/index.ts'
import { stopRenewals } from '../subscriptions/index.ts'
import { findProductId } from './find-product.ts'
import * as q from './queries/index.ts'

/**
 * Deletes a product. Its orders have copies of its fields, and customers can still download the files
 * that they bought. Its subscriptions are not renewed. Its slug and SKUs can be used again.
 */
export async function deleteProduct(context: StoreContext, ref: string) {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    // Renewals lock their subscription before a row of the product.
    const productId = await findProductId(context, tx, ref)
    await stopRenewals(tx, store.id, { productId, now })
    const product = requireRecord(await q.lockProduct(tx, store.id, ref), 'Product')
    await emitDeleted(tx, context, product.id)
    await q.replaceCategories(tx, store.id, product.id, [])
    await q.markProductDeleted(tx, store.id, product.id, now)
    await releaseBlobs(tx, store.id, await q.deleteMediaOf(tx, store.id, product.id))
    return { deleted: true as const, id: product.hash_id }
  })
}
