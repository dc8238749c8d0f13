import { type App, type Job, storeContextOf } from '../../../app.ts'
import { inParallel } from '../../../kernel/in-parallel.ts'
import { iso } from '../../../kernel/time.ts'
import { selectStoreById } from '../../installation/index.ts'
import { BATCH_MAX, nextBatchSize } from './batch-size.rules.ts'
import * as q from './queries/index.ts'
import { type BatchResult, renewSubscription, renewTogether } from './renew-subscription.ts'

const SELECT_LIMIT = 100
/** The number of concurrent renewals. They wait for each other only at the counter of order numbers. */
const CONCURRENCY = 4

/** Renews, retries and ends subscriptions, each by the clock of its store. */
export const renewSubscriptionsJob: Job = {
  name: 'renew-subscriptions',
  due: q.nextRenewal,
  clock: {
    nextDue: ({ db }, store) => q.selectNextRenewal(db, store.id),
    runDue: (app, { store }) => renewDueOfStore(app, store),
  },
  async run(app) {
    const now = iso(app.clock.now())
    const subscriptions = await q.selectDueSubscriptions(app.db, { now, limit: SELECT_LIMIT })
    const handledCount = await renewEach(app, subscriptions, CONCURRENCY)
    return subscriptions.length >= SELECT_LIMIT && handledCount > 0
  },
}

/**
 * Handles the due subscriptions of one store by their due dates. The loop ends, because each pass gives a
 * subscription a later due date, or postpones the next attempt of a failed one.
 */
async function renewDueOfStore(app: App, { id: storeId }: { id: number }): Promise<void> {
  const now = iso(app.clock.now())
  for (;;) {
    const subscriptions = await q.selectDueSubscriptions(app.db, {
      now,
      limit: SELECT_LIMIT,
      storeId,
    })
    if ((await renewEach(app, subscriptions, 1)) === 0) return
  }
}

/** Handles due subscriptions, and returns the number that were renewed, ended or postponed. */
async function renewEach(
  app: App,
  subscriptions: readonly q.DueSubscription[],
  concurrency: number,
): Promise<number> {
  const { renewedCount, remaining } = await renewBatches(app, subscriptions)
  let handledCount = renewedCount
  await inParallel(remaining, concurrency, async (next) => {
    if (await renewOrPostpone(app, next)) handledCount += 1
  })
  return handledCount
}

/** The size of the next batch of this process, adjusted by the duration of the last one. */
let batchSize = BATCH_MAX

/**
 * Renews subscriptions without failed attempts, several of a store in one transaction. The subscriptions of a
 * failed batch are returned in `remaining` and renewed one by one, so that only the failing one is postponed.
 */
async function renewBatches(
  app: App,
  subscriptions: readonly q.DueSubscription[],
): Promise<{ renewedCount: number; remaining: q.DueSubscription[] }> {
  const firstAttempts = subscriptions.filter(
    (item) => item.open_invoice_id === null && item.failures === 0,
  )
  const remaining = subscriptions.filter((item) => !firstAttempts.includes(item))
  let renewedCount = 0
  for (const queue of groupByStore(firstAttempts)) {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSize)
      const started_ms = performance.now()
      const result = await renewBatch(app, batch).catch(() => undefined)
      const count = result?.renewedIds.length ?? 0
      // If another worker has locked the whole batch, its duration is no measure.
      if (count > 0) batchSize = nextBatchSize(batchSize, performance.now() - started_ms)
      renewedCount += count
      remaining.push(
        ...(result ? batch.filter(({ id }) => result.remainingIds.includes(id)) : batch),
      )
    }
  }
  return { renewedCount, remaining }
}

/** Groups due subscriptions by their store. */
function groupByStore(subscriptions: readonly q.DueSubscription[]): q.DueSubscription[][] {
  const stores = new Map<number, q.DueSubscription[]>()
  for (const item of subscriptions) {
    stores.set(item.store_id, [...(stores.get(item.store_id) ?? []), item])
  }
  return [...stores.values()]
}

async function renewBatch(app: App, batch: readonly q.DueSubscription[]): Promise<BatchResult> {
  const [{ store_id } = { store_id: 0 }] = batch
  const store = await selectStoreById(app.db, store_id)
  const ids = batch.map(({ id }) => id)
  return store
    ? renewTogether(storeContextOf(app, store), ids)
    : { renewedIds: [], remainingIds: [] }
}

async function renewOrPostpone(app: App, subscription: q.DueSubscription): Promise<boolean> {
  try {
    const isHandled = await renewStoreSubscription(app, subscription)
    if (subscription.failures > 0) await q.deleteRenewalRetry(app.db, subscription)
    return isHandled
  } catch (error) {
    // If this statement fails too, the database does not answer, and all other renewals would fail as well.
    await q.postponeRenewal(app.db, subscription, iso(app.clock.now()))
    app.log.error(
      { err: error, subscription_id: subscription.id },
      'a subscription could not be renewed',
    )
    return true
  }
}

async function renewStoreSubscription(app: App, subscription: q.DueSubscription): Promise<boolean> {
  const store = await selectStoreById(app.db, subscription.store_id)
  return store ? renewSubscription(storeContextOf(app, store), subscription) : false
}
