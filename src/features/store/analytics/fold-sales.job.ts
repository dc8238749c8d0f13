import type { Job } from '../../../app.ts'
import * as q from './queries/index.ts'

/** The delta of an order with 50 lines changes at most 54 rows. */
const DELTAS_PER_STATEMENT = 1_000

/** Adds new deltas to the sums of their quarters of an hour and days (decision 275). */
export const foldSalesJob: Job = {
  name: 'fold-sales',
  due: q.nextFold,
  run: async ({ db }) => (await q.foldDeltas(db, DELTAS_PER_STATEMENT)) === DELTAS_PER_STATEMENT,
}
