import { type App, type Job, storeContextOf } from '../../../app.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { selectStoreById } from '../../installation/index.ts'
import {
  ANY_VARIANT,
  claimDueProduct,
  deletePendingAlerts,
  markAlertsDue,
  nextDueAlert,
  notifyRestocked,
} from '../stock-alerts/index.ts'
import * as q from './queries/index.ts'

/**
 * The delay until the next check of a product if an unpaid order reserves its last unit. The order may
 * expire and release the unit.
 */
const RESERVED_RETRY_S = 60

/**
 * Processes a batch of the stock alerts of a changed product: sends a mail for each variant that can
 * be bought now, and ends sign-ups for deleted variants (decision 109).
 */
export const sendAlertsJob: Job = {
  name: 'send-stock-alerts',
  due: nextDueAlert,
  run: (app) =>
    inTransaction(app.db, async (tx) => {
      const dueProduct = await claimDueProduct(tx)
      if (!dueProduct) return false
      await sendAlerts(tx, app, dueProduct)
      return true
    }),
}

async function sendAlerts(
  tx: Tx,
  app: App,
  { store_id, product_id }: { store_id: number; product_id: number },
): Promise<void> {
  const store = await selectStoreById(tx, store_id)
  const product = await q.selectAlertedProduct(tx, store_id, product_id)
  if (!store || !product) return
  const context = storeContextOf(app, store, tx)
  const { name, deleted, buyable, deleted_variants, fully_reserved } = product
  let hasMore = false
  if (buyable.length > 0) {
    const variant_ids = [ANY_VARIANT, ...buyable]
    hasMore = await notifyRestocked(tx, context, { product_id, variant_ids, name })
  }
  if (deleted || deleted_variants.length > 0) {
    const variant_ids = deleted ? [ANY_VARIANT, ...deleted_variants] : deleted_variants
    const hasMoreToDelete = await deletePendingAlerts(tx, context, { product_id, variant_ids })
    hasMore ||= hasMoreToDelete
  }
  if (hasMore) await markAlertsDue(tx, context, product_id)
  else if (fully_reserved) await markAlertsDue(tx, context, product_id, RESERVED_RETRY_S)
}
