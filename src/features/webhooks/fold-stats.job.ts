import type { Job } from '../../app.ts'
import * as q from './queries/index.ts'

const CHANGES_PER_RUN = 1_000

/** Adds the recorded changes to the hourly statistics. */
export const foldStatsJob: Job = {
  name: 'fold-webhook-stats',
  due: q.nextFold,
  run: async ({ db }) => (await q.foldStats(db, CHANGES_PER_RUN)) === CHANGES_PER_RUN,
}
