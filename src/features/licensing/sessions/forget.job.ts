import type { Job } from '../../../jobs/job.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import { deleteProofsBefore } from './queries/sessions.ts'

const BATCH = 1_000

/** Removes nonces that no proof could use again, by the machine's time. */
export const pruneClientsJob: Job = {
  name: 'forget-client-proofs',
  every_ms: MINUTE_MS,
  run: async ({ db, clock }) => (await deleteProofsBefore(db, iso(clock.now()), BATCH)) === BATCH,
}
