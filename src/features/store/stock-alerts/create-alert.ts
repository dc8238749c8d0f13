import { inTransaction } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectProduct, upsertAlert } from './queries.ts'
import type { NewStockAlert, StockAlert } from './schema.ts'

/** Signs a customer up for a mail when the product is in stock again. Twice is once. */
export async function createAlert(
  { db, store, now }: StoreContext,
  ref: string,
  body: NewStockAlert,
): Promise<{ stock_alert: StockAlert }> {
  return inTransaction(db, async (tx) => {
    const product = found(await selectProduct(tx, store.id, ref, body.variant_id), 'Product')
    if (body.variant_id !== undefined && !product.has_variant) {
      throw invalid('variant_id', 'This product has no variant with this id.')
    }
    const alert = await upsertAlert(tx, store.id, product.id, { ...body, created_at: now })
    return { stock_alert: found(alert, 'Stock alert') }
  })
}
