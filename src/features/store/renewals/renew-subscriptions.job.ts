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
import { renewSubscription } from './renew-subscription.ts'

const BATCH = 100
/** Renewals at once. On a server one waits for the other only at the number of its order. */
const LANES = 4

/** Renews, retries and ends subscriptions, each by the clock of its store. */
export const renewSubscriptionsJob: Job = {
  name: 'renew-subscriptions',
  due: nextRenewal,
  clock: {
    nextDue: ({ db }, store) => selectNextRenewal(db, store.id),
    settle: (app, { store }) => renewDue(app, store),
  },
  async run(app) {
    const due = await selectDueSubscriptions(app.db, { now: iso(app.clock.now()), limit: BATCH })
    const moved = await renewEach(app, due, LANES)
    return due.length >= BATCH && moved > 0
  },
}

/**
 * Does what is due in one store now, in the order of its due dates, except what fails. It ends: each
 * move makes a subscription due later, or postpones it beyond this moment.
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
  const waiting = [...due]
  let moved = 0
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (await renewOrPostpone(app, next)) moved += 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return moved
}

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
