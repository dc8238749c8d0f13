import { analyzeGrown } from '../db/statistics.ts'
import type { Job } from './job.ts'

/** Keeps the planner's statistics current for tables that grow fast. */
export const analyzeTablesJob: Job = {
  name: 'analyze-tables',
  every_ms: 2_000,
  async run({ db }) {
    await analyzeGrown(db)
    return false
  },
}
