import { type App, type Job, storeContextOf } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import { asStore, selectStoreById } from '../../installation/index.ts'
import {
  type DueSubscription,
  deleteRenewalRetry,
  nextRenewal,
  postponeRenewal,
  selectDueSubscriptions,
  selectNextRenewal,
} from '../subscriptions/index.ts'
import { type Renewed, renewSubscription, renewTogether } from './renew-subscription.ts'

const BATCH = 100
/** Renewals in one transaction. Buyers of the same product wait for it, for about 0.1 s. */
const TOGETHER = 25
/** Renewals at once. On a server one waits for the other only at the number of its order. */
const LANES = 4

/** Renews, retries and ends subscriptions, each by the clock of its store. */
export const renewSubscriptionsJob: Job = {
  name: 'renew-subscriptions',
  due: nextRenewal,
  clock: {
    nextDue: ({ db }, store) => selectNextRenewal(db, store.id),
    runDue: (app, { store }) => renewDue(app, store),
  },
  async run(app) {
    const due = await selectDueSubscriptions(app.db, { now: iso(app.clock.now()), limit: BATCH })
    const moved = await renewEach(app, due, LANES)
    return due.length >= BATCH && moved > 0
  },
}

/**
 * Handles the due subscriptions of one store in the order of their due dates, except failing ones.
 * The loop ends, because each step makes a subscription due later, or postpones it beyond this
 * moment.
 */
async function renewDue(app: App, { id: storeId }: { id: number }): Promise<void> {
  const now = iso(app.clock.now())
  for (;;) {
    const due = await selectDueSubscriptions(app.db, { now, limit: BATCH, storeId })
    if ((await renewEach(app, due, 1)) === 0) return
  }
}

/** How many moved on or were postponed. */
async function renewEach(
  app: App,
  due: readonly DueSubscription[],
  lanes: number,
): Promise<number> {
  const { moved, left } = await renewBatches(app, due)
  const waiting = [...left]
  let more = moved
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (await renewOrPostpone(app, next)) more += 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return more
}

/**
 * Renews subscriptions without failed attempts, several of a store in one transaction. Those of a
 * failed batch are left to single renewals, so that only the failing one is postponed.
 */
async function renewBatches(
  app: App,
  due: readonly DueSubscription[],
): Promise<{ moved: number; left: DueSubscription[] }> {
  const fresh = due.filter((item) => item.open_invoice_id === null && item.failures === 0)
  const left = due.filter((item) => !fresh.includes(item))
  let moved = 0
  for (const batch of batchesOf(fresh)) {
    const done = await renewBatch(app, batch).catch(() => undefined)
    moved += done?.renewed.length ?? 0
    left.push(...(done ? batch.filter(({ id }) => done.left.includes(id)) : batch))
  }
  return { moved, left }
}

/** Batches of one store each. */
function batchesOf(due: readonly DueSubscription[]): DueSubscription[][] {
  const stores = new Map<number, DueSubscription[]>()
  for (const item of due) stores.set(item.store_id, [...(stores.get(item.store_id) ?? []), item])
  return [...stores.values()].flatMap((items) =>
    Array.from({ length: Math.ceil(items.length / TOGETHER) }, (_, at) =>
      items.slice(at * TOGETHER, (at + 1) * TOGETHER),
    ),
  )
}

async function renewBatch(app: App, batch: readonly DueSubscription[]): Promise<Renewed> {
  const [{ store_id } = { store_id: 0 }] = batch
  const store = await selectStoreById(app.db, store_id)
  const ids = batch.map(({ id }) => id)
  return store ? renewTogether(storeContextOf(app, asStore(store)), ids) : NONE
}

const NONE: Renewed = { renewed: [], left: [] }

async function renewOrPostpone(app: App, due: DueSubscription): Promise<boolean> {
  try {
    const done = await renew(app, due)
    if (due.failures > 0) await deleteRenewalRetry(app.db, due)
    return done
  } catch (error) {
    // Throws if the database does not answer at all; then no other renewal would fare better.
    await postponeRenewal(app.db, due, iso(app.clock.now()))
    app.log.error({ err: error, subscription_id: due.id }, 'a subscription could not be renewed')
    return true
  }
}

async function renew(app: App, due: DueSubscription): Promise<boolean> {
  const store = await selectStoreById(app.db, due.store_id)
  return store ? renewSubscription(storeContextOf(app, asStore(store)), due) : false
}
