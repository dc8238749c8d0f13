import { inTransaction } from '../../db/database.ts'
import type { Job } from '../../jobs/job.ts'
import { iso, SECOND_MS } from '../../kernel/time.ts'
import { moveWaiting } from './move-waiting.ts'
import { lockMoving } from './queries/parking.ts'

/** Goes on where an endpoint that was turned on or off, or deleted, had a long queue. */
export const moveWaitingJob: Job = {
  name: 'move-waiting-webhooks',
  every_ms: SECOND_MS,
  run: ({ db, clock }) =>
    inTransaction(db, async (tx) => {
      const endpoint = await lockMoving(tx)
      if (!endpoint) return false
      await moveWaiting(tx, endpoint, iso(clock.now() + endpoint.clock_offset_ms))
      return true
    }),
}
