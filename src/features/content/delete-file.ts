import { inTransaction } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { dropBlobs } from '../blobs/index.ts'
import { lockedProduct } from '../products/index.ts'
import * as q from './queries.ts'

/** Removes a file from a product, and its bytes from storage soon after. */
export async function deleteFile(
  shop: Shop,
  ref: string,
  id: number,
): Promise<{ deleted: true; id: number }> {
  const { store } = shop
  return inTransaction(shop.db, async (tx) => {
    const product = await lockedProduct(shop, tx, ref)
    const { blob_id } = found(await q.deleteFile(tx, store.id, product, id), 'File')
    await dropBlobs(tx, store.id, [blob_id])
    return { deleted: true, id }
  })
}
