import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { tooLarge, unavailable } from '../kernel/errors.ts'
import { HOUR_MS } from '../kernel/time.ts'
import type { Storage } from './storage.ts'

const HEAD_BYTES = 32

/** Opens the folder of files that are being received. */
export function openIncoming(folder: string): Pick<Storage, 'receive' | 'discard' | 'sweep'> {
  return {
    async receive(source, max_bytes) {
      const path = join(folder, randomUUID())
      const file = await orUnavailable(() => createPrivateFile(folder, path))
      try {
        const content = await write(file, source, max_bytes)
        await orUnavailable(() => file.sync())
        return { path, ...content }
      } catch (error) {
        await rm(path, { force: true })
        throw error
      } finally {
        await file.close()
      }
    },
    discard: ({ path }) => rm(path, { force: true }),
    async sweep(now) {
      // The folder does not exist until the first file arrives.
      for (const name of (await readdir(folder).catch(unlessMissing)) ?? []) {
        const path = join(folder, name)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
        // A young file may still be written by another process that shares the folder.
        if (mtimeMs < now - HOUR_MS) await rm(path, { force: true })
      }
    },
  }
}

/** Creates a file that only this user can read. */
async function createPrivateFile(folder: string, path: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return open(path, 'wx', 0o600)
}

const RETRY_S = 10

/** Turns a failure of the disk into a 503, because it is not the caller's fault and the disk may recover. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw unavailable('Files cannot be stored at the moment. Repeat the call.', RETRY_S, cause)
  }
}

/** Turns the failure to open a file or folder that does not exist into undefined. */
export function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function write(file: FileHandle, source: AsyncIterable<Uint8Array>, max_bytes: number) {
  const hash = createHash('sha256')
  let size_bytes = 0
  let head = Buffer.alloc(0)
  for await (const chunk of source) {
    size_bytes += chunk.byteLength
    if (size_bytes > max_bytes) {
      throw tooLarge(max_bytes)
    }
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES)
    hash.update(chunk)
    await orUnavailable(() => writeAll(file, chunk))
  }
  return { size_bytes, sha256: hash.digest('hex'), head: Buffer.from(head) }
}

/** Repeats partial writes, which occur on a nearly full disk. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, offset, chunk.byteLength - offset)
    offset += bytesWritten
  }
}
