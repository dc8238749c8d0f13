import type { Job } from '../../app.ts'
import { inTransaction } from '../../db/database.ts'
import { iso } from '../../kernel/time.ts'
import { endByHand, lostByHand } from './end-by-hand.ts'
import { endLeasesAhead, nextLost, selectLostByHand } from './queries/by-hand.ts'

/** Records manual attempts that a crash left open, and lets their schedules go on. Frees leases ahead of the clock. */
export const lostByHandJob: Job = {
  name: 'lost-by-hand',
  due: nextLost,
  async run({ db, clock }) {
    await endLeasesAhead(db)
    for (const { store_id, clock_offset_ms, ...lost } of await selectLostByHand(db)) {
      const at = iso(clock.now() + clock_offset_ms)
      await inTransaction(db, (tx) => endByHand(tx, store_id, lostByHand({ ...lost, at })))
    }
    return false
  },
}
