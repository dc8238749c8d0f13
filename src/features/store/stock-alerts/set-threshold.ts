import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'

/** Sets the number of units at which the stock of a product counts as low; null for never. */
export async function setThreshold(
  { db, store, now, audit }: StoreContext,
  ref: string,
  stock_alert_threshold: number | null,
): Promise<{ stock_alert_threshold: number | null }> {
  return inTransaction(db, async (tx) => {
    const product = requireRecord(await q.selectProduct(tx, store.id, ref), 'Product')
    const before = await q.lockThreshold(tx, store.id, product.id)
    audit.reportChange({ stock_alert_threshold: before }, { stock_alert_threshold })
    await q.updateThreshold(tx, store.id, product.id, { stock_alert_threshold, updated_at: now })
    return { stock_alert_threshold }
  })
}
