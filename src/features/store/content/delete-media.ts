import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { releaseBlobs } from '../../installation/index.ts'
import { lockProductByRef } from '../products/index.ts'
import { nextMainImage } from './media.rules.ts'
import * as q from './queries.ts'

/**
 * Deletes a picture or a video of a product. If it was the main image, the next image becomes the main
 * image.
 */
export async function deleteMedia(context: StoreContext, ref: string, id: number) {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const productId = await lockProductByRef(context, tx, ref)
    const siblings = await q.selectMedia(tx, store.id, productId)
    const deletedMedia = requireRecord(
      siblings.find((item) => item.id === id),
      'Media',
    )
    await q.deleteMedia(tx, store.id, id)
    await releaseBlobs(tx, store.id, deletedMedia.blob_id ? [deletedMedia.blob_id] : [])
    const nextMainId = nextMainImage(siblings, deletedMedia)
    if (nextMainId !== undefined) await q.setMain(tx, store.id, productId, nextMainId)
    return { deleted: true as const, id }
  })
}
