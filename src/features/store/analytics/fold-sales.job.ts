import type { Job } from '../../../app.ts'
import { foldDeltas, nextFold } from './queries/deltas.ts'

/** A delta of an order of 50 lines adds 54 rows at most. */
const BATCH = 1_000

/** Adds the changes of the last seconds to the sales of their quarters and days (decision 275). */
export const foldSalesJob: Job = {
  name: 'fold-sales',
  due: nextFold,
  run: async ({ db }) => (await foldDeltas(db, BATCH)) === BATCH,
}
