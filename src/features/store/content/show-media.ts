import type { Db } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { productId, withAddresses } from '../products/index.ts'
import { type StoredMedia, selectMedia } from './queries.ts'
import type { Media } from './schema.ts'

/** The pictures and videos of a product, by position. */
export async function listMedia(context: StoreContext, ref: string): Promise<{ media: Media[] }> {
  const product = await productId(context, context.db, ref)
  return { media: asMedia(context, await selectMedia(context.db, context.store.id, product)) }
}

/** One of them, as it is now. */
export async function showMedia(
  context: StoreContext,
  db: Db,
  product: number,
  id: number,
): Promise<{ media: Media }> {
  const all = asMedia(context, await selectMedia(db, context.store.id, product))
  return {
    media: found(
      all.find((item) => item.id === id),
      'Media',
    ),
  }
}

export const asMedia = ({ publicUrl }: StoreContext, stored: readonly StoredMedia[]): Media[] =>
  withAddresses(
    stored.map(({ blob_id: _, ...media }) => media),
    publicUrl,
  )
