import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { dropBlobs } from '../../installation/index.ts'
import { lockedProduct } from '../products/index.ts'
import { heirOf } from './media.rules.ts'
import * as q from './queries.ts'

/**
 * Removes a picture or a video from a product. If it was the main image, the next image becomes the
 * main one.
 */
export async function deleteMedia(
  context: StoreContext,
  ref: string,
  id: number,
): Promise<{ deleted: true; id: number }> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const product = await lockedProduct(context, tx, ref)
    const all = await q.selectMedia(tx, store.id, product)
    const gone = found(
      all.find((item) => item.id === id),
      'Media',
    )
    await q.deleteMedia(tx, store.id, id)
    await dropBlobs(tx, store.id, gone.blob_id ? [gone.blob_id] : [])
    const heir = heirOf(all, gone)
    if (heir !== undefined) await q.setMain(tx, store.id, product, heir)
    return { deleted: true, id }
  })
}
