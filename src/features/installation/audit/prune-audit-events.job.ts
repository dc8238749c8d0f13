import type { Job } from '../../../app.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import * as q from './queries.ts'

const RETENTION_DAYS = 400
const BATCH = 1_000

/** Deletes audit events after 400 days, by the clock of their store (decision 124). */
export const pruneAuditEventsJob: Job = {
  name: 'prune-audit-events',
  every_ms: 10 * MINUTE_MS,
  run: async ({ db, clock }) =>
    (await q.deleteOldEvents(db, { now: iso(clock.now()), days: RETENTION_DAYS, limit: BATCH })) >=
    BATCH,
}
