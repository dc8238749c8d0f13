import { type App, type Job, storeContextOf } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectStoreById } from '../../installation/index.ts'
import { findBlocked } from '../blocklist/index.ts'
import { isMailed, mailRenewalNotices, readOrder } from '../orders/index.ts'
import * as q from './queries/index.ts'

const NOTICES_PER_RUN = 100

/** Tells customers of the next renewal of their subscriptions, by the clock of each store. */
export const sendRenewalNoticesJob: Job = {
  name: 'send-renewal-notices',
  due: q.nextNotice,
  clock: {
    nextDue: ({ db }, store) => q.selectNextNotice(db, store),
    async runDue(app, { store }) {
      while ((await sendDue(app, store.id)) > 0);
    },
  },
  run: async (app) => (await sendDue(app)) === NOTICES_PER_RUN,
}

/** Sends a batch of due notices, and returns their number, without those of subscriptions that are locked now. */
async function sendDue(app: App, storeId?: number): Promise<number> {
  const now = iso(app.clock.now())
  const notices = await q.selectDueNotices(app.db, { now, limit: NOTICES_PER_RUN, storeId })
  const stores = new Map<number, q.DueNotice[]>()
  for (const notice of notices) {
    stores.set(notice.store_id, [...(stores.get(notice.store_id) ?? []), notice])
  }
  let count = 0
  for (const [id, noticesOfStore] of stores) {
    const store = await selectStoreById(app.db, id)
    if (store) count += await notifyOfRenewals(storeContextOf(app, store), noticesOfStore)
  }
  return count
}

/** Marks renewals as noticed, and queues the mail about them in the same transaction. */
function notifyOfRenewals(context: StoreContext, notices: readonly q.DueNotice[]): Promise<number> {
  return inTransaction(context.db, async (tx) => {
    const ids = notices.map(({ id }) => id)
    const renewals = await q.markNoticed(tx, context.store.id, ids)
    // A renewal that costs nothing needs no notice, and a blocked customer is not charged (decision 177).
    const noticed = renewals.filter((item) => item.amount_cents > 0 && isMailed(context, item))
    if (noticed.length === 0) return renewals.length
    const customerIds = noticed.map(({ customer_id }) => customer_id)
    const blockedIds = await findBlocked(tx, context.store.id, customerIds)
    const orders = []
    for (const renewal of noticed.filter(({ customer_id }) => !blockedIds.has(customer_id))) {
      orders.push({ order: await readOrder(context, tx, renewal.order_id), renewal })
    }
    await mailRenewalNotices(tx, context, orders)
    return renewals.length
  })
}
