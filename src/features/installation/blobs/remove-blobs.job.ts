import type { Job } from '../../../app.ts'
import { delayBlobs, deleteBlobs, nextRemoval, selectFreeBlobs } from './queries.ts'

const BATCH = 100

/**
 * Removes files that no record uses any more, from storage first: a crash in between leaves a row
 * that is tried again, and never a file without a row. A file that storage does not remove waits,
 * so that it delays no other.
 */
export const removeBlobsJob: Job = {
  name: 'remove-blobs',
  due: nextRemoval,
  async run({ db, storage, log }) {
    const free = await selectFreeBlobs(db, BATCH)
    if (free.length === 0) return false
    const ends = await Promise.allSettled(free.map(({ id }) => storage.remove(id)))
    const failed = ends.filter((end) => end.status === 'rejected')
    await deleteBlobs(
      db,
      free.filter((_, at) => ends[at]?.status === 'fulfilled'),
    )
    if (failed.length > 0) {
      await delayBlobs(
        db,
        free.filter((_, at) => ends[at]?.status === 'rejected'),
      )
      log.warn({ err: failed[0]?.reason, files: failed.length }, 'files stay in storage for now')
    }
    return free.length === BATCH
  },
}
