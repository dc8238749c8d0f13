import type { Job } from '../../jobs/job.ts'
import { SECOND_MS } from '../../kernel/time.ts'
import { deleteBlobs, selectFreeBlobs } from './queries.ts'

const BATCH = 100

/**
 * Removes files that no record shows any more, from storage first: a crash in between leaves a row
 * that is tried again, and never a file that nobody knows of.
 */
export const removeBlobsJob: Job = {
  name: 'remove-blobs',
  every_ms: 2 * SECOND_MS,
  async run({ db, storage }) {
    const free = await selectFreeBlobs(db, BATCH)
    if (free.length === 0) return false
    await Promise.all(free.map(({ id }) => storage.remove(id)))
    await deleteBlobs(db, free)
    return free.length === BATCH
  },
}
