import { type App, storeContextOf } from '../../../app.ts'
import { isUnavailable } from '../../../db/failure.ts'
import type { Job } from '../../../jobs/job.ts'
import { iso, SECOND_MS } from '../../../kernel/time.ts'
import { asStore, selectStoreById } from '../../installation/index.ts'
import { expireOrder } from './expire-order.ts'
import { selectDueOrders } from './queries/orders.ts'

const BATCH = 100

/** Expires orders that were not paid in time, each by the clock of its store. */
export const expireOrdersJob: Job = {
  name: 'expire-orders',
  every_ms: SECOND_MS,
  async run(app) {
    const due = await selectDueOrders(app.db, { now: iso(app.clock.now()), limit: BATCH })
    let expired = 0
    for (const { store_id, id } of due) expired += await attempt(app, store_id, id)
    return expired >= BATCH
  },
}

/** Expires what is due in one store now, all of it. */
export async function expireDueOrders(app: App, { id: storeId }: { id: number }): Promise<void> {
  for (;;) {
    const now = iso(app.clock.now())
    const due = await selectDueOrders(app.db, { now, limit: BATCH, storeId })
    for (const { id } of due) await expire(app, storeId, id)
    if (due.length === 0) return
  }
}

/** One order that cannot be expired must not keep the others from it. */
async function attempt(app: App, storeId: number, id: string): Promise<number> {
  try {
    await expire(app, storeId, id)
    return 1
  } catch (error) {
    if (isUnavailable(error)) throw error
    app.log.error({ err: error, order_id: id }, 'an order could not be expired')
    return 0
  }
}

async function expire(app: App, storeId: number, id: string): Promise<void> {
  const store = await selectStoreById(app.db, storeId)
  if (store) await expireOrder(storeContextOf(app, asStore(store)), id)
}
