import type { Job } from '../../../app.ts'
import { lowestId } from '../../../kernel/ids.ts'
import { DAY_MS, iso, MINUTE_MS } from '../../../kernel/time.ts'
import * as q from './queries.ts'

const CALLS_MS = 7 * DAY_MS
/** The maximum number of stored calls of a store. Older calls are deleted even within the 7 days. */
const CALLS_MAX = 100_000
const USES_MS = 62 * DAY_MS
const BATCH = 2_000

/** Deletes calls after 7 days, and counts of the use of keys after two months (decision 295). */
export const pruneCallsJob: Job = {
  name: 'prune-request-log',
  every_ms: 10 * MINUTE_MS,
  async run({ db, clock }) {
    const now = clock.now()
    const before = lowestId('req_', now - CALLS_MS)
    const calls = await q.deleteOldCalls(db, { before, newest: CALLS_MAX, limit: BATCH })
    const uses = await q.deleteOldUses(db, iso(now - USES_MS).slice(0, 10), BATCH)
    return calls >= BATCH || uses >= BATCH
  },
}
