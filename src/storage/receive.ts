import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '../kernel/errors.ts'
import { DAY_MS } from '../kernel/time.ts'
import type { Received } from './storage.ts'

const HEAD_BYTES = 32

/** The waiting room of files that are coming in. */
export interface Incoming {
  receive(source: AsyncIterable<Uint8Array>, max_bytes: number): Promise<Received>
  discard(received: Received): Promise<void>
}

/** Made on the first upload, with what a crash left in it swept out. */
export function openIncoming(folder: string): Incoming {
  let ready: Promise<void> | undefined
  return {
    async receive(source, max_bytes) {
      ready ??= prepare(folder)
      await ready
      const path = join(folder, randomUUID())
      // Readable by us alone: nobody else has a use for half a file.
      const file = await open(path, 'wx', 0o600)
      try {
        const counted = await write(file, source, max_bytes)
        await file.sync()
        return { path, ...counted }
      } catch (error) {
        await rm(path, { force: true })
        throw error
      } finally {
        await file.close()
      }
    },
    discard: ({ path }) => rm(path, { force: true }),
  }
}

async function write(file: FileHandle, source: AsyncIterable<Uint8Array>, max_bytes: number) {
  const hash = createHash('sha256')
  let size_bytes = 0
  let head = Buffer.alloc(0)
  for await (const chunk of source) {
    size_bytes += chunk.byteLength
    if (size_bytes > max_bytes) {
      throw new StoreError('PAYLOAD_TOO_LARGE', `Send at most ${max_bytes} bytes.`)
    }
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES)
    hash.update(chunk)
    await writeAll(file, chunk)
  }
  return { size_bytes, sha256: hash.digest('hex'), head: Buffer.from(head) }
}

/** A disk that is nearly full may take a part only. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, at, chunk.byteLength - at)
    at += bytesWritten
  }
}

/** Several processes may share the folder, so what is young may be somebody's. */
async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < Date.now() - DAY_MS) await rm(path, { force: true })
  }
}
