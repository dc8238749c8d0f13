import type { App, Job } from '../../app.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { DAY_MS, iso, MINUTE_MS } from '../../kernel/time.ts'
import * as q from './queries/prune.ts'
import { pruneHours } from './queries/stats.ts'

const KEPT_DAYS = 30
const BATCH = 500
/** Lists count seven days back. */
const HOURS_KEPT_MS = 8 * DAY_MS

/**
 * Deletes events of more than 30 days with their deliveries and attempts (decisions 18 and 49), a
 * batch of each store at a time. Events with pending deliveries stay, however old.
 */
export const pruneEventsJob: Job = {
  name: 'prune-events',
  every_ms: 10 * MINUTE_MS,
  clock: { finish: (app, store) => pruneEventsOf(app, store.id) },
  async run({ db, clock }) {
    let more = false
    for (const store of await q.selectStoresToPrune(db, {
      now: iso(clock.now()),
      days: KEPT_DAYS,
    })) {
      if ((await pruneBatch(db, store)) === BATCH) more = true
    }
    const hours = { before: iso(clock.now() - HOURS_KEPT_MS), limit: BATCH }
    return (await pruneHours(db, hours)) === BATCH || more
  },
}

/** Removes all that is too old in one store, whose clock has been moved. */
async function pruneEventsOf(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  storeId: number,
): Promise<void> {
  const stores = await q.selectStoresToPrune(db, { now: iso(clock.now()), days: KEPT_DAYS })
  const own = stores.find((store) => store.store_id === storeId)
  while (own && (await pruneBatch(db, own)) === BATCH);
}

function pruneBatch(db: Db, store: q.StoreToPrune): Promise<number> {
  return inTransaction(db, async (tx) => {
    const nos = await q.lockPrunable(tx, store, BATCH)
    if (nos.length > 0) await q.deletePruned(tx, store.store_id, nos)
    return nos.length
  })
}
