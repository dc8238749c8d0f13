import { type App, type Job, storeContextOf } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import { asStore, selectStoreById } from '../../installation/index.ts'
import { expireOrder } from './expire-order.ts'
import {
  type DueOrder,
  deleteExpiryRetry,
  nextExpiry,
  postponeExpiry,
  selectDueOrders,
  selectNextExpiry,
} from './queries/expiry.ts'

const BATCH = 100

/** Expires orders that were not paid in time, each by the clock of its store. */
export const expireOrdersJob: Job = {
  name: 'expire-orders',
  due: nextExpiry,
  clock: {
    nextDue: ({ db }, store) => selectNextExpiry(db, store.id),
    runDue: (app, { store }) => expireDueOrders(app, store),
  },
  async run(app) {
    const due = await selectDueOrders(app.db, { now: iso(app.clock.now()), limit: BATCH })
    const { ended, postponed } = await expireEach(app, due)
    return due.length >= BATCH && ended + postponed > 0
  },
}

/**
 * Expires the orders of one store that are due now, except those that fail. The loop ends: each
 * order that was due when it began expires once, or is postponed beyond that moment (decision 221).
 */
async function expireDueOrders(app: App, { id: storeId }: { id: number }): Promise<void> {
  const now = iso(app.clock.now())
  for (;;) {
    const due = await selectDueOrders(app.db, { now, limit: BATCH, storeId })
    const { ended, postponed } = await expireEach(app, due)
    if (ended + postponed === 0) return
  }
}

interface Outcome {
  ended: number
  postponed: number
}

async function expireEach(app: App, due: readonly DueOrder[]): Promise<Outcome> {
  const outcome: Outcome = { ended: 0, postponed: 0 }
  for (const order of due) {
    try {
      if (await expire(app, order)) outcome.ended += 1
      if (order.failures > 0) await deleteExpiryRetry(app.db, order)
    } catch (error) {
      // Throws if the database does not answer at all; then no other order would fare better.
      await postponeExpiry(app.db, order, iso(app.clock.now()))
      outcome.postponed += 1
      app.log.error({ err: error, order_id: order.id }, 'an order could not be expired')
    }
  }
  return outcome
}

async function expire(app: App, { store_id, id }: DueOrder): Promise<boolean> {
  const store = await selectStoreById(app.db, store_id)
  return store ? expireOrder(storeContextOf(app, asStore(store)), id) : false
}
