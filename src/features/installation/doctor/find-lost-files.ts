import { type Db, inBackground } from '../../../db/database.ts'
import { inParallel } from '../../../kernel/in-parallel.ts'
import { pathOfBlob } from '../../../storage/blob-id.ts'
import type { Storage } from '../../../storage/storage.ts'
import * as q from './queries.ts'

const PAGE = 1_000
/** The number of concurrent checks. A check of a file in a bucket waits for the network. */
const CONCURRENCY = 16

/** Returns the paths of files of records that are missing or have another size (decision 111). */
export async function findLostFiles(
  db: Db,
  storage: Storage,
): Promise<{ files: number; lost: string[] }> {
  let files = 0
  const lostIds: string[] = []
  let after: q.UsedFile | undefined
  for (;;) {
    const page = await inBackground(db, (tx) => q.selectUsedFiles(tx, after, PAGE))
    files += page.length
    const missingFiles = await findMissing(storage, page)
    // A file whose record was removed during the check is not lost.
    if (missingFiles.length > 0)
      lostIds.push(...(await q.selectUsedIds(db, missingFiles)).map(pathOfBlob))
    after = page.at(-1)
    if (page.length < PAGE) return { files, lost: lostIds }
  }
}

async function findMissing(storage: Storage, page: readonly q.UsedFile[]): Promise<q.UsedFile[]> {
  const missingFiles: q.UsedFile[] = []
  await inParallel(page, CONCURRENCY, async (file) => {
    const size = await storage.sizeOf(file.id)
    if (size === undefined || (file.size_bytes ?? size) !== size) missingFiles.push(file)
  })
  return missingFiles
}
