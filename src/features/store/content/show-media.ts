import type { Db } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { findProductId, withFullUrls } from '../products/index.ts'
import * as q from './queries.ts'
import type { Media } from './schema.ts'

/** Returns the pictures and videos of a product, by position. */
export async function listMedia(context: StoreContext, ref: string) {
  const productId = await findProductId(context, context.db, ref)
  return { media: asMedia(context, await q.selectMedia(context.db, context.store.id, productId)) }
}

/** Returns one picture or video of a product. */
export async function showMedia(context: StoreContext, db: Db, productId: number, id: number) {
  const allMedia = asMedia(context, await q.selectMedia(db, context.store.id, productId))
  return {
    media: requireRecord(
      allMedia.find((item) => item.id === id),
      'Media',
    ),
  }
}

export const asMedia = (
  { publicUrl }: StoreContext,
  storedMedia: readonly q.StoredMedia[],
): Media[] =>
  withFullUrls(
    storedMedia.map(({ blob_id, ...media }) => media),
    publicUrl,
  )
