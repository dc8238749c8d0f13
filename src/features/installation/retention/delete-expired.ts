import type { App } from '../../../app.ts'
import type { Job } from '../../../jobs/job.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import { deleteExpired } from './queries.ts'
import { RETENTIONS, type Retention } from './retentions.ts'

const BATCH = 1_000

/** A job for each table, so that one that fails stops none of the others. */
export const retentionJobs: readonly Job[] = RETENTIONS.map(jobOf)

function jobOf(retention: Retention): Job {
  return {
    name: `delete-expired-${retention.table}`,
    every_ms: MINUTE_MS,
    run: async ({ db, clock }) =>
      (await deleteExpired(db, retention, { now: iso(clock.now()), limit: BATCH })) === BATCH,
  }
}

/** Deletes all that has expired in one store, whose clock was moved. */
export async function deleteExpiredOf(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  storeId: number,
): Promise<void> {
  for (const retention of RETENTIONS) {
    const batch = { now: iso(clock.now()), limit: BATCH, storeId }
    while ((await deleteExpired(db, retention, batch)) === BATCH);
  }
}
