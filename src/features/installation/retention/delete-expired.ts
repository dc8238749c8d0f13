import type { App, Job } from '../../../app.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import * as q from './queries.ts'
import { RETENTIONS, type Retention } from './retentions.ts'

const BATCH = 1_000

/** The jobs of retention: one for each table, so that a failure does not stop the others. */
export const retentionJobs: readonly Job[] = RETENTIONS.map(jobOf)

function jobOf(retention: Retention): Job {
  /** Returns true if more records may have expired. */
  const deleteBatch = async ({ db, clock }: App, storeId?: number): Promise<boolean> =>
    (await q.deleteExpired(db, retention, { now: iso(clock.now()), limit: BATCH, storeId })) ===
    BATCH
  return {
    name: `delete-expired-${retention.table}`,
    every_ms: MINUTE_MS,
    run: (app) => deleteBatch(app),
    clock: {
      async finish(app, { id }) {
        let hasMore = true
        while (hasMore) hasMore = await deleteBatch(app, id)
      },
    },
  }
}
