import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal, unavailable } from '../kernel/errors.ts'
import { HOUR_MS } from '../kernel/time.ts'
import type { Received } from './storage.ts'

const HEAD_BYTES = 32

/** The folder of files that are being received. */
export interface Incoming {
  receive(source: AsyncIterable<Uint8Array>, max_bytes: number): Promise<Received>
  discard(received: Received): Promise<void>
  sweep(now: number): Promise<void>
}

export function openIncoming(folder: string): Incoming {
  return {
    async receive(source, max_bytes) {
      const path = join(folder, randomUUID())
      const file = await onDisk(() => create(folder, path))
      try {
        const counted = await write(file, source, max_bytes)
        await onDisk(() => file.sync())
        return { path, ...counted }
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
      for (const name of await readdir(folder).catch(unlessMissing)) {
        const path = join(folder, name)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
        // A young file may still be written by another process that shares the folder.
        if (mtimeMs < now - HOUR_MS) await rm(path, { force: true })
      }
    },
  }
}

/** Readable by this user only. */
async function create(folder: string, path: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return open(path, 'wx', 0o600)
}

const RETRY_S = 10

/** A disk that is full or unavailable is not the caller's fault, and may recover. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw unavailable('Files cannot be stored now; repeat the call.', RETRY_S, cause)
  }
}

function unlessMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code !== 'ENOENT') throw error
  return []
}

async function write(file: FileHandle, source: AsyncIterable<Uint8Array>, max_bytes: number) {
  const hash = createHash('sha256')
  let size_bytes = 0
  let head = Buffer.alloc(0)
  for await (const chunk of source) {
    size_bytes += chunk.byteLength
    if (size_bytes > max_bytes) {
      throw new Refusal('PAYLOAD_TOO_LARGE', `Send at most ${max_bytes} bytes.`)
    }
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES)
    hash.update(chunk)
    await onDisk(() => writeAll(file, chunk))
  }
  return { size_bytes, sha256: hash.digest('hex'), head: Buffer.from(head) }
}

/** A write to a nearly full disk may be partial. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, at, chunk.byteLength - at)
    at += bytesWritten
  }
}
