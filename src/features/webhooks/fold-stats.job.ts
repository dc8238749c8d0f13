import type { Job } from '../../jobs/job.ts'
import { SECOND_MS } from '../../kernel/time.ts'
import { foldStats } from './queries/stats.ts'

const BATCH = 1_000

/** Folds what the senders noted into the hours of the statistics. */
export const foldStatsJob: Job = {
  name: 'fold-webhook-stats',
  every_ms: SECOND_MS,
  run: async ({ db }) => (await foldStats(db, BATCH)) === BATCH,
}
