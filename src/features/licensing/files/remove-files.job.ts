import type { Job } from '../../../app.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import { removeFile } from './delete-file.ts'
import * as q from './queries.ts'

const BATCH = 100
const DOUBLINGS_MAX = 6

/** Retries the deletion of files that storage refused, with exponential backoff. */
export const removeFilesJob: Job = {
  name: 'remove-serverside-files',
  due: q.nextDeletion,
  async run({ db, storage, clock, log }) {
    const files = await q.selectDueDeletions(db, iso(clock.now()), BATCH)
    for (const file of files) {
      await removeFile(db, storage, file).catch(async (err) => {
        log.warn({ err, file_id: file.id }, 'a file could not be deleted from storage')
        const wait_ms = MINUTE_MS * 2 ** Math.min(file.delete_attempts, DOUBLINGS_MAX)
        await q.postponeDeletion(db, file, iso(clock.now() + wait_ms))
      })
    }
    return files.length === BATCH
  },
}
