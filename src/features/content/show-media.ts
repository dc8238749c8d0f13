import type { Db } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { productId, withAddresses } from '../products/index.ts'
import { type StoredMedia, selectMedia } from './queries.ts'
import type { Media } from './schema.ts'

/** The pictures and videos of a product, by position. */
export async function listMedia(shop: Shop, ref: string): Promise<{ media: Media[] }> {
  const product = await productId(shop, shop.db, ref)
  return { media: asMedia(shop, await selectMedia(shop.db, shop.store.id, product)) }
}

/** One of them, as it is now. */
export async function showMedia(
  shop: Shop,
  db: Db,
  product: number,
  id: number,
): Promise<{ media: Media }> {
  const all = asMedia(shop, await selectMedia(db, shop.store.id, product))
  return {
    media: found(
      all.find((one) => one.id === id),
      'Media',
    ),
  }
}

export const asMedia = ({ publicUrl }: Shop, stored: readonly StoredMedia[]): Media[] =>
  withAddresses(
    stored.map(({ blob_id: _, ...media }) => media),
    publicUrl,
  )
