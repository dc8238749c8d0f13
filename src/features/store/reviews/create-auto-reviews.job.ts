import { type App, type Job, storeContextOf } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import { asStore, selectStoreById } from '../../installation/index.ts'
import { createAutoReviews } from './create-auto-reviews.ts'
import {
  type DueOrder,
  followSettings,
  nextReview,
  passOrder,
  postpone,
  selectDueOrders,
  selectNextDue,
} from './queries/auto-reviews.ts'

const BATCH = 100
/** Between two attempts at an order that fails, and how many of them there are. */
const RETRY_S = 60
const ATTEMPTS_MAX = 5

/** Creates automatic reviews for stores that have them turned on, each by the clock of its store. */
export const createAutoReviewsJob: Job = {
  name: 'create-auto-reviews',
  due: nextReview,
  clock: {
    nextDue: ({ db }, store) => selectNextDue(db, store.id),
    runDue: (app, { store }) => createDueReviews(app, store),
  },
  run: (app) => runBatch(app),
}

/** Creates every automatic review of one store that is due now. */
async function createDueReviews(app: App, { id: storeId }: { id: number }): Promise<void> {
  while (await runBatch(app, storeId));
}

/** Returns true if more orders may be due. */
async function runBatch(app: App, storeId?: number): Promise<boolean> {
  const now = iso(app.clock.now())
  await followSettings(app.db, { now, ...(storeId !== undefined && { storeId }) })
  const due = await selectDueOrders(app.db, {
    now,
    limit: BATCH,
    ...(storeId !== undefined && { storeId }),
  })
  const blocked = new Set<number>()
  let passed = 0
  for (const order of due) {
    // Orders are handled in sequence, so one that fails holds up the others of its store.
    if (blocked.has(order.store_id)) continue
    if (await handle(app, order)) passed += 1
    else blocked.add(order.store_id)
  }
  return due.length === BATCH && passed > 0
}

/** Returns false if the order failed. One that keeps failing is left without a review. */
async function handle(app: App, order: DueOrder): Promise<boolean> {
  try {
    const store = await selectStoreById(app.db, order.store_id)
    if (store) await createAutoReviews(storeContextOf(app, asStore(store)), order)
    return true
  } catch (error) {
    const now = iso(app.clock.now())
    const failures = await postpone(app.db, order.store_id, { now, wait_s: RETRY_S })
    const skipped = failures >= ATTEMPTS_MAX
    if (skipped) await inTransaction(app.db, (tx) => passOrder(tx, order))
    const message = skipped
      ? 'an order is left without its automatic review'
      : 'an automatic review could not be created'
    app.log.error({ err: error, order_id: order.id }, message)
    return false
  }
}
