import type { Job } from '../../app.ts'
import { inTransaction } from '../../db/database.ts'
import { iso } from '../../kernel/time.ts'
import { moveWaiting } from './move-waiting.ts'
import { lockMoving, nextMove } from './queries/parking.ts'

/** Continues with endpoints that were turned on or off, or deleted, and had a long queue. */
export const moveWaitingJob: Job = {
  name: 'move-waiting-webhooks',
  due: nextMove,
  run: ({ db, clock }) =>
    inTransaction(db, async (tx) => {
      const endpoint = await lockMoving(tx)
      if (!endpoint) return false
      await moveWaiting(tx, endpoint, iso(clock.now() + endpoint.clock_offset_ms))
      return true
    }),
}
