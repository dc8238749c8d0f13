import type { Job } from '../../app.ts'
import * as q from './queries/index.ts'

/** Frees leases whose end is too far ahead because the machine's clock was set back. */
export const freeLeasesJob: Job = {
  name: 'free-leases',
  due: q.nextLeaseAhead,
  async run({ db }) {
    await q.freeLeasesAhead(db)
    return false
  },
}
