import type { Job } from '../../../app.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'

/** Removes incomplete files that an upload left after a crash or a kill. */
export const sweepIncomingJob: Job = {
  name: 'sweep-incoming',
  every_ms: 10 * MINUTE_MS,
  async run({ storage, clock }) {
    await storage.sweep(clock.now())
    return false
  },
}
