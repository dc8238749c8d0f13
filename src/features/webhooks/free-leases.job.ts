import type { Job } from '../../app.ts'
import { freeLeasesAhead, nextLeaseAhead } from './queries/lease.ts'

/** Frees leases whose end is too far ahead because the machine's clock was set back (decision 245). */
export const freeLeasesJob: Job = {
  name: 'free-leases',
  due: nextLeaseAhead,
  async run({ db }) {
    await freeLeasesAhead(db)
    return false
  },
}
