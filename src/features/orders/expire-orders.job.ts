import { type App, shopOf } from '../../app.ts'
import type { Job } from '../../jobs/job.ts'
import { iso, SECOND_MS } from '../../kernel/time.ts'
import { asStore, selectStoreById } from '../stores/index.ts'
import { expireOrder } from './expire-order.ts'
import { selectDueOrders } from './queries/orders.ts'

const BATCH = 100

/** Expires orders that were not paid in time, each by the clock of its store. */
export const expireOrdersJob: Job = {
  name: 'expire-orders',
  every_ms: SECOND_MS,
  async run(app) {
    const due = await selectDueOrders(app.db, iso(app.clock.now()), BATCH)
    for (const { store_id, id } of due) await expire(app, store_id, id)
    return due.length === BATCH
  },
}

/** Expires what is due in one store now, all of it. */
export async function expireDueOrders(app: App, { id: storeId }: { id: number }): Promise<void> {
  for (;;) {
    const due = await selectDueOrders(app.db, iso(app.clock.now()), BATCH)
    const own = due.filter((order) => order.store_id === storeId)
    for (const { id } of own) await expire(app, storeId, id)
    if (own.length === 0) return
  }
}

async function expire(app: App, storeId: number, id: string): Promise<void> {
  const store = await selectStoreById(app.db, storeId)
  if (store) await expireOrder(shopOf(app, asStore(store)), id)
}
