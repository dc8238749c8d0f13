import type { Job } from '../../../app.ts'
import * as q from './queries.ts'

const FILES_PER_RUN = 100

/**
 * Removes the files that no record uses. A file is removed from storage before its row is deleted, so that a
 * crash leaves no file without a row. A file that storage does not remove is postponed, so that it does not
 * block the others.
 */
export const removeBlobsJob: Job = {
  name: 'remove-blobs',
  due: q.nextRemoval,
  async run({ db, storage, log }) {
    const blobs = await q.selectUnusedBlobs(db, FILES_PER_RUN)
    if (blobs.length === 0) return false
    const results = await Promise.allSettled(blobs.map(({ id }) => storage.remove(id)))
    const [failure] = results.filter((result) => result.status === 'rejected')
    const failedBlobs = blobs.filter((_, index) => results[index]?.status === 'rejected')
    await q.deleteBlobs(
      db,
      blobs.filter((blob) => !failedBlobs.includes(blob)),
    )
    if (failedBlobs.length > 0) {
      await q.postponeRemoval(db, failedBlobs)
      log.warn({ err: failure?.reason, files: failedBlobs.length }, 'files stay in storage for now')
    }
    return blobs.length === FILES_PER_RUN
  },
}
