import type { Job } from '../../app.ts'
import { foldStats, nextFold } from './queries/stats.ts'

const BATCH = 1_000

/** Adds the recorded attempts to the hours of the statistics. */
export const foldStatsJob: Job = {
  name: 'fold-webhook-stats',
  due: nextFold,
  run: async ({ db }) => (await foldStats(db, BATCH)) === BATCH,
}
