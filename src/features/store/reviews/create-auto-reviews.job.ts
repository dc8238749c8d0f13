import { type App, type Job, storeContextOf } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import { selectStoreById } from '../../installation/index.ts'
import { createAutoReviews } from './create-auto-reviews.ts'
import * as q from './queries/index.ts'

const BATCH = 100
/** The pause between two attempts for an order, and the maximum number of attempts. */
const RETRY_S = 60
const ATTEMPTS_MAX = 5

/** Creates automatic reviews in stores that have switched them on, by the clock of the store. */
export const createAutoReviewsJob: Job = {
  name: 'create-auto-reviews',
  due: q.nextReview,
  clock: {
    nextDue: ({ db }, store) => q.selectNextDue(db, store.id),
    runDue: (app, { store }) => createDueReviews(app, store),
  },
  run: (app) => runBatch(app),
}

/** Creates all automatic reviews of one store that are due now. */
async function createDueReviews(app: App, { id: storeId }: { id: number }): Promise<void> {
  let hasMore = true
  while (hasMore) hasMore = await runBatch(app, storeId)
}

/** Returns true if more orders may be due. */
async function runBatch(app: App, storeId?: number): Promise<boolean> {
  const now = iso(app.clock.now())
  await q.syncCursors(app.db, { now, ...(storeId !== undefined && { storeId }) })
  const dueOrders = await q.selectDueOrders(app.db, {
    now,
    limit: BATCH,
    ...(storeId !== undefined && { storeId }),
  })
  const failedStores = new Set<number>()
  let handledCount = 0
  for (const order of dueOrders) {
    // The cursor of a store advances in sequence, so the orders after a failed one must wait.
    if (failedStores.has(order.store_id)) continue
    if (await reviewOrder(app, order)) handledCount += 1
    else failedStores.add(order.store_id)
  }
  return dueOrders.length === BATCH && handledCount > 0
}

/** Returns false if the order failed. After ATTEMPTS_MAX failures the order is skipped. */
async function reviewOrder(app: App, order: q.UnreviewedOrder): Promise<boolean> {
  try {
    const store = await selectStoreById(app.db, order.store_id)
    if (store) await createAutoReviews(storeContextOf(app, store), order)
    return true
  } catch (error) {
    const now = iso(app.clock.now())
    const failures = await q.postponeStore(app.db, order.store_id, { now, wait_s: RETRY_S })
    const isSkipped = failures >= ATTEMPTS_MAX
    if (isSkipped) await inTransaction(app.db, (tx) => q.advanceCursor(tx, order))
    const message = isSkipped
      ? 'an order was skipped and has no automatic review'
      : 'an automatic review could not be created'
    app.log.error({ err: error, order_id: order.id }, message)
    return false
  }
}
