import type { Job } from '../../app.ts'
import { foldStats, nextFold } from './queries/stats.ts'

const CHANGES_PER_RUN = 1_000

/** Adds the recorded changes to the hourly statistics. */
export const foldStatsJob: Job = {
  name: 'fold-webhook-stats',
  due: nextFold,
  run: async ({ db }) => (await foldStats(db, CHANGES_PER_RUN)) === CHANGES_PER_RUN,
}
