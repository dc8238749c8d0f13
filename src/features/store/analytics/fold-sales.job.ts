import type { Job } from '../../../jobs/job.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { foldDeltas } from './queries/deltas.ts'

/** A delta of an order of 50 lines adds 54 rows at most. */
const BATCH = 1_000

/** Adds the changes of the last seconds to the sales of their quarters and days (decision 275). */
export const foldSalesJob: Job = {
  name: 'fold-sales',
  every_ms: SECOND_MS,
  run: async ({ db }) => (await foldDeltas(db, BATCH)) === BATCH,
}
