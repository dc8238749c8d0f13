import { inTransaction } from '../../../db/database.ts'
import { invalidState, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { watchStock } from '../stock/index.ts'
import { markAlertsDue } from '../stock-alerts/index.ts'
import * as q from './queries/index.ts'

/**
 * Deletes a variant. Its orders have copies of its fields. The last variant of a product cannot be
 * deleted. If the variant was the default, the first of the others becomes the default.
 */
export async function deleteVariant(context: StoreContext, ref: string, id: number) {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const product = requireRecord(await q.lockProduct(tx, store.id, ref), 'Product')
    await watchStock(tx, context, product.id, async () => {
      const variants = await q.selectVariants(tx, store.id, String(product.id))
      const variant = requireRecord(
        variants.find((item) => item.id === id),
        'Variant',
      )
      const successor = variants.find((item) => item.id !== id)
      if (!successor) {
        throw invalidState(
          'last',
          'The last variant of a product cannot be deleted. Add one first.',
        )
      }
      await q.deleteVariant(tx, store.id, id, now)
      if (!variant.is_default) return
      await q.updateVariant(tx, store.id, successor.id, { is_default: true, updated_at: now })
      await q.copyDefaultPrice(tx, store.id, product.id, now)
    })
    await markAlertsDue(tx, context, product.id)
    return { deleted: true as const, id }
  })
}
