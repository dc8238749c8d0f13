import type { Job } from '../app.ts'
import { analyzeGrownTables } from '../db/statistics.ts'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

/** Updates the planner's statistics of tables that grow fast. */
export const analyzeTablesJob: Job = {
  name: 'analyze-tables',
  every_ms: MINUTE_MS,
  afterWrites_ms: 2 * SECOND_MS,
  async run({ db }) {
    await analyzeGrownTables(db)
    return false
  },
}
