import type { Job } from '../../jobs/job.ts'
import { iso, MINUTE_MS } from '../../kernel/time.ts'
import { deleteOldReports } from './queries.ts'

const KEPT_DAYS = 90
const BATCH = 1_000

/** Removes reports after 90 days: what came of them stands with the key and the device (decision 87). */
export const forgetReportsJob: Job = {
  name: 'forget-client-reports',
  every_ms: 10 * MINUTE_MS,
  run: async ({ db, clock }) =>
    (await deleteOldReports(db, { now: iso(clock.now()), days: KEPT_DAYS, limit: BATCH })) >= BATCH,
}
