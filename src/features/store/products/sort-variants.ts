import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { checkListsEachId } from '../../../kernel/sorted-ids.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'

/** Sorts the variants of a product in the sequence of these ids (decision 44). */
export async function sortVariants(
  { db, store, now, audit }: StoreContext,
  ref: string,
  ids: readonly number[],
) {
  return inTransaction(db, async (tx) => {
    requireRecord(await q.lockProduct(tx, store.id, ref), 'Product')
    const variants = await q.selectVariants(tx, store.id, ref)
    checkListsEachId(
      variants.map(({ id }) => id),
      ids,
    )
    if (!(await q.setVariantPositions(tx, store.id, { ids, updated_at: now }))) audit.skipEvent()
    return { variants: await q.selectVariants(tx, store.id, ref) }
  })
}
