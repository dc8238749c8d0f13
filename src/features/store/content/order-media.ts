import { inTransaction } from '../../../db/database.ts'
import { checkListsEachId } from '../../../kernel/sorted-ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockProductByRef } from '../products/index.ts'
import * as q from './queries.ts'
import { asMedia } from './show-media.ts'

/** Sorts the pictures and videos of a product as the ids are listed (decision 44). */
export async function orderMedia(context: StoreContext, ref: string, ids: readonly number[]) {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const productId = await lockProductByRef(context, tx, ref)
    const media = await q.selectMedia(tx, store.id, productId)
    checkListsEachId(
      media.map((item) => item.id),
      ids,
    )
    if (!(await q.updatePositions(tx, store.id, ids))) context.audit.skipEvent()
    return { media: asMedia(context, await q.selectMedia(tx, store.id, productId)) }
  })
}
