import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import { checkOrder } from '../../../kernel/order.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockProduct } from './queries/products.ts'
import { placeVariants, selectVariants } from './queries/variants.ts'
import type { Variant } from './variant-schema.ts'

/** Puts the variants of a product in this order (decision 44). */
export async function orderVariants(
  { db, store, now }: StoreContext,
  ref: string,
  ids: readonly number[],
): Promise<{ variants: Variant[] }> {
  return inTransaction(db, async (tx) => {
    found(await lockProduct(tx, store.id, ref), 'Product')
    const variants = await selectVariants(tx, store.id, ref)
    checkOrder(
      variants.map(({ id }) => id),
      ids,
    )
    await placeVariants(tx, store.id, { ids, updated_at: now })
    return { variants: await selectVariants(tx, store.id, ref) }
  })
}
