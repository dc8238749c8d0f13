import type { Job } from '../../../app.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import * as q from './queries/index.ts'

const BATCH = 1_000

/** Deletes nonces whose proofs have expired, by the machine's clock. */
export const pruneProofsJob: Job = {
  name: 'prune-client-proofs',
  every_ms: MINUTE_MS,
  run: async ({ db, clock }) => (await q.deleteProofsBefore(db, iso(clock.now()), BATCH)) === BATCH,
}
