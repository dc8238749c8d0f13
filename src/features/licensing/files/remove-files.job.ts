import type { Job } from '../../../jobs/job.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import { removeFile } from './delete-file.ts'
import { delayDelete, selectLeaving } from './queries.ts'

const BATCH = 100
const DOUBLINGS_MAX = 6

/** Deletes the bytes of files that storage did not delete at once; each wait is twice the last. */
export const removeFilesJob: Job = {
  name: 'remove-serverside-files',
  every_ms: MINUTE_MS / 4,
  async run({ db, storage, clock, log }) {
    const leaving = await selectLeaving(db, iso(clock.now()), BATCH)
    for (const file of leaving) {
      await removeFile(db, storage, file).catch(async (err) => {
        log.warn({ err, file_id: file.id }, 'a file stays in storage for now')
        const wait_ms = MINUTE_MS * 2 ** Math.min(file.delete_attempts, DOUBLINGS_MAX)
        await delayDelete(db, file, iso(clock.now() + wait_ms))
      })
    }
    return leaving.length === BATCH
  },
}
