import type { App } from '../../../app.ts'
import { CommandError, type CommandOutput } from '../../../command.ts'
import { inBackground } from '../../../db/database.ts'
import { inParallel } from '../../../kernel/in-parallel.ts'
import { pathOfBlob } from '../../../storage/blob-id.ts'
import { openLocalStorage } from '../../../storage/open-storage.ts'
import type { Storage } from '../../../storage/storage.ts'
import * as q from './queries.ts'

const PAGE = 500
/** The number of files that are copied at the same time. */
const CONCURRENCY = 8

type Result = 'copied' | 'present' | 'missing'

interface Copies {
  /** False if a file is in neither place. */
  ok: boolean
  copied: number
  /** The number of files that the bucket had already. */
  present: number
  /** The paths of files that are in neither place. */
  missing: string[]
}

/**
 * Copies the files in `DATA_DIR` to the bucket, and keeps them in `DATA_DIR`: another process may still serve them from
 * there. It can be repeated, and then copies only files that the bucket does not have.
 */
export async function copyToBucket(
  { db, storage, config }: App,
  { emit, signal }: CommandOutput,
): Promise<Copies> {
  if (storage.kind !== 's3')
    throw new CommandError(
      'Files are stored in DATA_DIR. Set TRADEPOST_S3_BUCKET and its key, restart the server if one runs, and repeat the command.',
    )
  const storages = { disk: openLocalStorage(config.dataDir), bucket: storage }
  const total = await inBackground(db, q.countUsedBlobs)
  const copies: Copies = { ok: true, copied: 0, present: 0, missing: [] }
  let after: Awaited<ReturnType<typeof q.selectUsedBlobs>>[number] | undefined
  let done = 0
  do {
    const page = await inBackground(db, (tx) => q.selectUsedBlobs(tx, after, PAGE))
    const results = await copyPage(storages, page, signal)
    const remaining = new Set(
      await q.selectBlobIds(
        db,
        page.map(({ id }) => id),
      ),
    )
    for (const [id, result] of results) {
      if (!remaining.has(id)) await storage.remove(id)
      else if (result === 'missing') copies.missing.push(pathOfBlob(id))
      else copies[result]++
    }
    done += page.length
    emit({ done, total: Math.max(done, total), failed: copies.missing.length })
    after = page.at(-1)
  } while (after)
  return { ...copies, ok: copies.missing.length === 0 }
}

interface Storages {
  disk: Storage
  bucket: Storage
}

async function copyPage(
  storages: Storages,
  page: readonly { id: string }[],
  signal: AbortSignal,
): Promise<Map<string, Result>> {
  const results = new Map<string, Result>()
  await inParallel(page, CONCURRENCY, async ({ id }) => {
    signal.throwIfAborted()
    results.set(id, await copyFile(storages, id))
  })
  return results
}

async function copyFile({ disk, bucket }: Storages, id: string): Promise<Result> {
  const [localSize, bucketSize] = await Promise.all([disk.sizeOf(id), bucket.sizeOf(id)])
  if (bucketSize !== undefined && (localSize ?? bucketSize) === bucketSize) return 'present'
  const source = await disk.get(id)
  if (!source) return 'missing'
  const file = await bucket.receive(source, Number.POSITIVE_INFINITY)
  await bucket.put(id, file).catch(async (error) => {
    await bucket.discard(file)
    throw error
  })
  return 'copied'
}
