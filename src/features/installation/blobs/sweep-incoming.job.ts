import type { Job } from '../../../app.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'

/** Removes the incomplete files of uploads that were interrupted by a crash. */
export const sweepIncomingJob: Job = {
  name: 'sweep-incoming',
  every_ms: 10 * MINUTE_MS,
  async run({ storage, clock }) {
    await storage.sweep(clock.now())
    return false
  },
}
