import type { Job } from '../../app.ts'
import { freeLeasesAhead, nextLeaseAhead } from './queries/lease.ts'

/** Frees leases that lie ahead of the machine's clock because the clock was put back (decision 245). */
export const freeLeasesJob: Job = {
  name: 'free-leases',
  due: nextLeaseAhead,
  async run({ db }) {
    await freeLeasesAhead(db)
    return false
  },
}
