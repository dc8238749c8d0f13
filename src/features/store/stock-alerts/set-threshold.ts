import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'

/** Says at how many units the stock of a product counts as low; null means never. */
export async function setThreshold(
  { db, store, now }: StoreContext,
  ref: string,
  stock_alert_threshold: number | null,
): Promise<{ stock_alert_threshold: number | null }> {
  return inTransaction(db, async (tx) => {
    const product = found(await q.selectProduct(tx, store.id, ref), 'Product')
    await q.updateThreshold(tx, store.id, product.id, { stock_alert_threshold, updated_at: now })
    return { stock_alert_threshold }
  })
}
