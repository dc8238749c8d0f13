import type { Job } from '../../jobs/job.ts'
import { DAY_MS, iso, MINUTE_MS } from '../../kernel/time.ts'
import { deleteProofsBefore, deleteSessionsBefore } from './queries/sessions.ts'

const BATCH = 1_000
const SESSIONS_KEPT_MS = 30 * DAY_MS

/** Removes nonces that no proof could use again, and sessions that ended 30 days ago. */
export const forgetClientsJob: Job = {
  name: 'forget-clients',
  every_ms: MINUTE_MS,
  async run({ db, clock }) {
    const now = clock.now()
    const proofs = await deleteProofsBefore(db, iso(now), BATCH)
    const sessions = await deleteSessionsBefore(db, iso(now - SESSIONS_KEPT_MS), BATCH)
    return proofs === BATCH || sessions === BATCH
  },
}
