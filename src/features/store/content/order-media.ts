import { inTransaction } from '../../../db/database.ts'
import { checkOrder } from '../../../kernel/order.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockedProduct } from '../products/index.ts'
import * as q from './queries.ts'
import type { Media } from './schema.ts'
import { asMedia } from './show-media.ts'

/** Puts pictures and videos of a product in this order (decision 44). */
export async function orderMedia(
  context: StoreContext,
  ref: string,
  ids: readonly number[],
): Promise<{ media: Media[] }> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const product = await lockedProduct(context, tx, ref)
    const all = await q.selectMedia(tx, store.id, product)
    checkOrder(
      all.map((item) => item.id),
      ids,
    )
    await q.placeMedia(tx, store.id, ids)
    return { media: asMedia(context, await q.selectMedia(tx, store.id, product)) }
  })
}
