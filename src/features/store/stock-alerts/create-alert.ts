import { inTransaction } from '../../../db/database.ts'
import { requireRecord, unknownId } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { storedEmail } from '../customers/index.ts'
import * as q from './queries.ts'
import type { NewStockAlert, StockAlert } from './schema.ts'

/** Signs an email address up for a mail when a product is in stock again. A repeated sign-up changes nothing. */
export async function createAlert(
  { db, store, now, audit }: StoreContext,
  ref: string,
  body: NewStockAlert,
): Promise<{ stock_alert: StockAlert }> {
  return inTransaction(db, async (tx) => {
    const { variant_id: variantId } = body
    const email = await storedEmail(tx, store.id, body.email, { table: 'stock_alert' })
    const product = requireRecord(
      await q.selectProduct(tx, store.id, ref, { variantId, lock: true }),
      'Product',
    )
    if (body.variant_id !== undefined && !product.has_variant) {
      throw unknownId(
        'variant_id',
        body.variant_id,
        'This product has no variant',
        'Send the id of one of its variants.',
      )
    }
    const row = { ...body, email, created_at: now }
    const { alert, is_new } = await q.upsertAlert(tx, store.id, product.id, row)
    if (!is_new) audit.skipEvent()
    return { stock_alert: alert }
  })
}
