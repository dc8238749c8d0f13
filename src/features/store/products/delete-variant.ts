import { inTransaction } from '../../../db/database.ts'
import { found, invalidState, notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { watchStock } from '../stock/index.ts'
import { markAlertsDue } from '../stock-alerts/index.ts'
import { lockProduct } from './queries/products.ts'
import * as q from './queries/variants.ts'

/**
 * Deletes a variant; orders keep their copies of its fields. The last variant cannot be deleted. If
 * it was the default, the first of the others becomes the default.
 */
export async function deleteVariant(
  context: StoreContext,
  ref: string,
  id: number,
): Promise<{ deleted: true; id: number }> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const product = found(await lockProduct(tx, store.id, ref), 'Product')
    await watchStock(tx, context, product.id, async () => {
      const variants = await q.selectVariants(tx, store.id, String(product.id))
      const [first, second] = [...variants].sort(
        (a, b) => Number(a.id === id) - Number(b.id === id),
      )
      const gone = variants.find((item) => item.id === id)
      if (!gone || !first) throw notFound('Variant')
      if (!second) throw invalidState('last', 'A product keeps at least one variant.')
      await q.deleteVariant(tx, store.id, id, now)
      if (!gone.is_default) return
      await q.updateVariant(tx, store.id, first.id, { is_default: true, updated_at: now })
      await q.copyDefaultPrice(tx, store.id, product.id, now)
    })
    await markAlertsDue(tx, context, product.id)
    return { deleted: true, id }
  })
}
