import { inTransaction } from '../../db/database.ts'
import { checkOrder } from '../../kernel/order.ts'
import type { Shop } from '../../shop.ts'
import { lockedProduct } from '../products/index.ts'
import * as q from './queries.ts'
import type { Media } from './schema.ts'
import { asMedia } from './show-media.ts'

/** Puts pictures and videos of a product in this order (decision 44). */
export async function orderMedia(
  shop: Shop,
  ref: string,
  ids: readonly number[],
): Promise<{ media: Media[] }> {
  const { store } = shop
  return inTransaction(shop.db, async (tx) => {
    const product = await lockedProduct(shop, tx, ref)
    const all = await q.selectMedia(tx, store.id, product)
    checkOrder(
      all.map((one) => one.id),
      ids,
    )
    await q.placeMedia(tx, store.id, ids)
    return { media: asMedia(shop, await q.selectMedia(tx, store.id, product)) }
  })
}
