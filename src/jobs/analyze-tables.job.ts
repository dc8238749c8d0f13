import type { Job } from '../app.ts'
import { analyzeGrown } from '../db/statistics.ts'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

/** Keeps the planner's statistics current for tables that grow fast. */
export const analyzeTablesJob: Job = {
  name: 'analyze-tables',
  every_ms: MINUTE_MS,
  afterWrites_ms: 2 * SECOND_MS,
  async run({ db }) {
    await analyzeGrown(db)
    return false
  },
}
