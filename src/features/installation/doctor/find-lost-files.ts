import { type Db, inBackground } from '../../../db/database.ts'
import { pathOfBlob } from '../../../storage/blob-id.ts'
import type { Storage } from '../../../storage/storage.ts'
import { type KeptFile, selectKeptFiles, selectStillKept } from './queries.ts'

const PAGE = 1_000
/** The number of files that are checked concurrently, because a bucket is a network call. */
const AT_ONCE = 16

/** Paths of files that records refer to and that are missing, or have another size (decision 111). */
export async function findLostFiles(
  db: Db,
  storage: Storage,
): Promise<{ files: number; lost: string[] }> {
  let files = 0
  const lost: string[] = []
  let after: KeptFile | undefined
  for (;;) {
    const page = await inBackground(db, (tx) => selectKeptFiles(tx, after, PAGE))
    files += page.length
    const missing = await missingOf(storage, page)
    // A file that was removed during the check is not lost.
    if (missing.length > 0) lost.push(...(await selectStillKept(db, missing)).map(pathOfBlob))
    after = page.at(-1)
    if (page.length < PAGE) return { files, lost }
  }
}

async function missingOf(storage: Storage, page: readonly KeptFile[]): Promise<KeptFile[]> {
  const missing: KeptFile[] = []
  const rest = [...page]
  const look = async () => {
    for (let file = rest.pop(); file; file = rest.pop()) {
      const size = await storage.sizeOf(file.id)
      if (size === undefined || (file.size_bytes ?? size) !== size) missing.push(file)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, look))
  return missing
}
