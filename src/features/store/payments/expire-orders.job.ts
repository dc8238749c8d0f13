import type { App, Job } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  type DueOrder,
  deleteExpiryRetry,
  expireOrder,
  nextExpiry,
  postponeExpiry,
  selectDueOrders,
  selectNextExpiry,
} from '../orders/index.ts'
import { workOnDue } from '../payment-providers/index.ts'
import { endPaymentsOf } from './end-payment.ts'

const BATCH = 100

/** Expires the orders that were not paid in time, by the clocks of their stores. */
export const expireOrdersJob: Job = {
  name: 'expire-orders',
  due: nextExpiry,
  clock: {
    nextDue: ({ db }, store) => selectNextExpiry(db, store.id),
    runDue: (app, { store }) => expireDueOrders(app, store),
  },
  async run(app) {
    const dueOrders = await selectDueOrders(app.db, { now: iso(app.clock.now()), limit: BATCH })
    const changedCount = await expireOrders(app, dueOrders)
    return dueOrders.length >= BATCH && changedCount > 0
  },
}

/**
 * Expires the due orders of one store, and postpones those that fail. The loop ends, because each
 * order that was due at its start expires or is postponed to a later time.
 */
async function expireDueOrders(app: App, { id: storeId }: { id: number }): Promise<void> {
  const now = iso(app.clock.now())
  for (;;) {
    const dueOrders = await selectDueOrders(app.db, { now, limit: BATCH, storeId })
    if ((await expireOrders(app, dueOrders)) === 0) return
  }
}

/** Returns the number of orders that expired or were postponed. */
async function expireOrders(app: App, dueOrders: readonly DueOrder[]): Promise<number> {
  let changedCount = 0
  await workOnDue(app, dueOrders, {
    async work(context, order) {
      if (await expireDueOrder(context, order)) changedCount += 1
      if (order.failures > 0) await deleteExpiryRetry(app.db, order)
    },
    async onLeft(order, error) {
      // This throws if the database does not answer. The job then ends, as the other orders would fail too.
      await postponeExpiry(app.db, order, iso(app.clock.now()))
      changedCount += 1
      app.log.error({ err: error, order_id: order.id }, 'an order could not be expired')
    },
  })
  return changedCount
}

/** Ends the payments of the order first. If its buyer has paid meanwhile, the order is no longer due (decision 455). */
async function expireDueOrder(
  context: StoreContext,
  { id, has_open_payment }: DueOrder,
): Promise<boolean> {
  const endedPayments = has_open_payment
    ? await endPaymentsOf(context, id, { processing: 'left' })
    : []
  return expireOrder(context, id, endedPayments)
}
