import type { App, Job } from '../../app.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { DAY_MS, iso, MINUTE_MS } from '../../kernel/time.ts'
import * as q from './queries/index.ts'

const RETENTION_DAYS = 30
const BATCH_SIZE = 500
/** The statistics of lists cover seven days. */
const HOURS_RETENTION_MS = 8 * DAY_MS

/**
 * Deletes events older than 30 days with their deliveries and attempts (decisions 18 and 49), one batch of each
 * store at a time. Keeps events with pending deliveries, however old they are.
 */
export const pruneEventsJob: Job = {
  name: 'prune-events',
  every_ms: 10 * MINUTE_MS,
  clock: { finish: (app, store) => pruneEventsOf(app, store.id) },
  async run({ db, clock }) {
    let hasMore = false
    for (const store of await q.selectStoresToPrune(db, {
      now: iso(clock.now()),
      days: RETENTION_DAYS,
    })) {
      if ((await pruneBatch(db, store)) === BATCH_SIZE) hasMore = true
    }
    const expiredHours = { before: iso(clock.now() - HOURS_RETENTION_MS), limit: BATCH_SIZE }
    return (await q.pruneHours(db, expiredHours)) === BATCH_SIZE || hasMore
  },
}

/** Deletes all events of a store that have become too old because its clock was moved. */
async function pruneEventsOf(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  storeId: number,
): Promise<void> {
  const stores = await q.selectStoresToPrune(db, { now: iso(clock.now()), days: RETENTION_DAYS })
  const store = stores.find((item) => item.store_id === storeId)
  if (!store) return
  let deletedCount = BATCH_SIZE
  while (deletedCount === BATCH_SIZE) deletedCount = await pruneBatch(db, store)
}

function pruneBatch(db: Db, store: q.StoreToPrune): Promise<number> {
  return inTransaction(db, async (tx) => {
    const eventNumbers = await q.lockPrunable(tx, store, BATCH_SIZE)
    if (eventNumbers.length > 0) await q.deletePruned(tx, store.store_id, eventNumbers)
    return eventNumbers.length
  })
}
