import { inTransaction } from '../../db/database.ts'
import type { Job } from '../../jobs/job.ts'
import { iso, SECOND_MS } from '../../kernel/time.ts'
import { endByHand } from './end-by-hand.ts'
import { WORKER_LOST } from './outcome-texts.ts'
import { selectLostByHand } from './queries/by-hand.ts'

/** Writes down tries by hand that a crash left open, and lets their schedules go on. */
export const lostByHandJob: Job = {
  name: 'lost-by-hand',
  every_ms: 5 * SECOND_MS,
  async run({ db, clock }) {
    for (const { store_id, clock_offset_ms, ...lost } of await selectLostByHand(db)) {
      const nothing = { status_code: null, duration_ms: null, response_body: null }
      const at = iso(clock.now() + clock_offset_ms)
      const result = { ...lost, ...nothing, ok: false, error: WORKER_LOST, worker_lost: true, at }
      await inTransaction(db, (tx) => endByHand(tx, store_id, result))
    }
    return false
  },
}
