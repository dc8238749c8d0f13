import type { Job } from '../../app.ts'
import { inTransaction } from '../../db/database.ts'
import { iso } from '../../kernel/time.ts'
import { movePending } from './move-pending.ts'
import * as q from './queries/index.ts'

/** Moves further batches for endpoints that were turned on or off, or deleted, with many pending deliveries. */
export const movePendingJob: Job = {
  name: 'move-waiting-webhooks',
  due: q.nextMove,
  run: ({ db, clock }) =>
    inTransaction(db, async (tx) => {
      const endpoint = await q.lockMoving(tx)
      if (!endpoint) return false
      await movePending(tx, endpoint, iso(clock.now() + endpoint.clock_offset_ms))
      return true
    }),
}
