import { type App, type Job, storeContextOf } from '../../../app.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { asStore, selectStoreById } from '../../installation/index.ts'
import {
  ANY_VARIANT,
  endWaiting,
  markAlertsDue,
  nextDueAlert,
  notifyRestocked,
  takeDue,
} from '../stock-alerts/index.ts'
import { selectAwaited } from './queries/counters.ts'

/** The time after which a product is examined again while an unpaid order reserves its last unit. */
const HELD_WAIT_S = 60

/**
 * Handles a batch of the stock alerts of a product that changed: people who can buy now get a mail,
 * and sign-ups for deleted variants end (decision 109).
 */
export const sendAlertsJob: Job = {
  name: 'send-stock-alerts',
  due: nextDueAlert,
  run: (app) =>
    inTransaction(app.db, async (tx) => {
      const due = await takeDue(tx)
      if (!due) return false
      await sendAlerts(tx, app, due)
      return true
    }),
}

async function sendAlerts(
  tx: Tx,
  app: App,
  { store_id, product_id }: { store_id: number; product_id: number },
): Promise<void> {
  const store = await selectStoreById(tx, store_id)
  const product = await selectAwaited(tx, store_id, product_id)
  if (!store || !product) return
  const context = storeContextOf(app, asStore(store), tx)
  const { name, deleted, buyable, gone, held } = product
  const left: boolean[] = []
  if (buyable.length > 0) {
    const variant_ids = [ANY_VARIANT, ...buyable]
    left.push(await notifyRestocked(tx, context, { product_id, variant_ids, name }))
  }
  if (deleted || gone.length > 0) {
    const variant_ids = deleted ? [ANY_VARIANT, ...gone] : gone
    left.push(await endWaiting(tx, context, { product_id, variant_ids }))
  }
  if (left.includes(true)) await markAlertsDue(tx, context, product_id)
  else if (held) await markAlertsDue(tx, context, product_id, HELD_WAIT_S)
}
