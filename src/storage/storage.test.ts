import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FAKE_BUCKET, FAKE_KEY, FAKE_REGION, type FakeS3, startFakeS3 } from '../../test/fake-s3.ts'
import { newBlobId } from './blob-id.ts'
import { openStorage } from './open-storage.ts'
import type { Storage } from './storage.ts'

const MIB = 1024 * 1024

let dataDir: string
let s3: FakeS3
let storage: Storage

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tradepost-storage-'))
  s3 = await startFakeS3()
})
afterEach(async () => {
  await storage.close()
  await s3.close()
  await rm(dataDir, { recursive: true, force: true })
})

const bucket = () => ({
  ...FAKE_KEY,
  bucket: FAKE_BUCKET,
  region: FAKE_REGION,
  endpoint: s3.endpoint,
})

const filesIn = async () => {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((item) => item.isFile()).map((item) => item.name)
}

async function read(id: string, range?: { start: number; end: number }) {
  const bytes = await storage.get(id, range)
  return bytes && buffer(bytes)
}

async function storeFile(bytes: Uint8Array): Promise<string> {
  const id = newBlobId()
  await storage.put(id, await storage.receive(Readable.from([bytes]), MIB))
  return id
}

describe.each(['disk', 's3'] as const)('on %s', (kind) => {
  beforeEach(async () => {
    storage = await openStorage({ dataDir, s3: kind === 's3' ? bucket() : undefined })
  })

  test('a stored file can be read, whole and in part, until it is removed', async () => {
    const bytes = randomBytes(300_000)
    const received = await storage.receive(
      Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]),
      MIB,
    )
    expect(received).toMatchObject({
      size_bytes: 300_000,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    const id = newBlobId()
    expect(await storage.get(id)).toBeUndefined()
    await storage.put(id, received)
    expect(await storage.sizeOf(id)).toBe(300_000)
    expect(await read(id)).toEqual(bytes)
    expect(await read(id, { start: 10, end: 19 })).toEqual(bytes.subarray(10, 20))
    expect(await read(id, { start: 299_999, end: 299_999 })).toEqual(bytes.subarray(299_999))
    await storage.remove(id)
    expect(await storage.get(id)).toBeUndefined()
    expect(await storage.sizeOf(id)).toBeUndefined()
    await storage.remove(id)
  })

  test('an empty file can be stored', async () => {
    expect(await read(await storeFile(new Uint8Array()))).toEqual(Buffer.alloc(0))
  })

  test('a file that is one byte too large is refused, and nothing of it remains', async () => {
    const parts = () => Readable.from([Buffer.alloc(600_000), Buffer.alloc(MIB - 600_000)])
    await storage.discard(await storage.receive(parts(), MIB))
    await expect(storage.receive(parts(), MIB - 1)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    })
    expect(await filesIn()).toEqual([])
  })

  test('a source that fails leaves no file', async () => {
    const brokenSource = (async function* () {
      yield Buffer.alloc(10)
      throw new Error('The caller went away.')
    })()
    await expect(storage.receive(brokenSource, MIB)).rejects.toThrow('went away')
    expect(await filesIn()).toEqual([])
  })

  test('storing a file leaves no second copy, and discarding it then changes nothing', async () => {
    const id = newBlobId()
    const received = await storage.receive(Readable.from([Buffer.from('one')]), MIB)
    await storage.put(id, received)
    await storage.discard(received)
    expect(String(await read(id))).toBe('one')
    expect(await filesIn()).toEqual(kind === 'disk' ? [id] : [])
  })

  test.each([
    '../../x',
    '',
    'a/b',
    `${'a'.repeat(32)}/../x`,
    'A'.repeat(32),
    `${'a'.repeat(32)}\n`,
  ])('an invalid id, %j, reaches no file', async (name) => {
    const received = await storage.receive(Readable.from([Buffer.from('x')]), MIB)
    await expect(storage.put(name, received)).rejects.toThrow('not the id')
    await expect(storage.get(name)).rejects.toThrow('not the id')
    await expect(storage.remove(name)).rejects.toThrow('not the id')
    await storage.discard(received)
    expect(await filesIn()).toEqual([])
    expect(s3.calls).toEqual([])
  })

  test('eight concurrent files of 24 MiB use less than 64 MiB of memory', async () => {
    const chunk = Buffer.alloc(64 * 1024, 7)
    const size = 24 * MIB
    const source = async function* () {
      for (let produced = 0; produced < size; produced += chunk.length) yield chunk
    }
    const rssBefore = process.memoryUsage.rss()
    let peak = rssBefore
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 5)
    const received = await Promise.all(
      Array.from({ length: 8 }, () => storage.receive(source(), size)),
    )
    clearInterval(sampling)
    expect(received.map((item) => item.size_bytes)).toEqual(Array(8).fill(size))
    expect(peak - rssBefore).toBeLessThan(64 * MIB)
    await Promise.all(received.map((item) => storage.discard(item)))
  })
})

test('on disk, other users cannot read a file', async () => {
  storage = await openStorage({ dataDir, s3: undefined })
  const id = await storeFile(Buffer.from('y'))
  const { mode } = await stat(join(dataDir, 'files', id.slice(0, 2), id))
  expect(mode & 0o777).toBe(0o600)
})

describe.each(['disk', 's3'] as const)('the folder of incoming files on %s', (kind) => {
  beforeEach(async () => {
    storage = await openStorage({ dataDir, s3: kind === 's3' ? bucket() : undefined })
  })

  test('is cleared of files that are older than an hour, which a crash left, and of no others', async () => {
    const HOUR_MS = 3_600_000
    const now = Date.now()
    await storage.sweep(now)
    const id = await storeFile(Buffer.from('kept'))
    const paths = ['expired', 'recent'].map((name) => join(dataDir, 'files/incoming', name))
    for (const [index, path] of paths.entries()) {
      await writeFile(path, 'half')
      const changed = new Date(now - HOUR_MS + (index === 0 ? -2_000 : 2_000))
      await utimes(path, changed, changed)
    }
    await storage.sweep(now)
    expect(await filesIn()).not.toContain('expired')
    expect(await filesIn()).toContain('recent')
    await storage.sweep(now + HOUR_MS)
    expect(await filesIn()).not.toContain('recent')
    expect(String(await read(id))).toBe('kept')
  })

  test('makes storing fail with 503 while it cannot be created, and not afterwards', async () => {
    await writeFile(join(dataDir, 'files'), 'in the way')
    await expect(storeFile(Buffer.from('x'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { code: 'ENOTDIR' },
    })
    await rm(join(dataDir, 'files'))
    expect(String(await read(await storeFile(Buffer.from('x'))))).toBe('x')
  })
})

describe('a bucket that fails', () => {
  beforeEach(async () => {
    storage = await openStorage({ dataDir, s3: bucket() })
  })

  test('is retried after a failure or a broken connection', async () => {
    s3.failures.push(503, 0)
    const id = await storeFile(Buffer.from('again'))
    s3.failures.push(500)
    expect(String(await read(id))).toBe('again')
    expect(s3.calls).toHaveLength(5)
  })

  test('permanently makes storing fail with 503, and the received file can still be discarded', async () => {
    s3.failures.push(500, 500, 500)
    const received = await storage.receive(Readable.from([Buffer.from('x')]), MIB)
    await expect(storage.put(newBlobId(), received)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { message: 'The file storage answered 500.' },
    })
    await storage.discard(received)
    expect(await filesIn()).toEqual([])
    expect(s3.objects.size).toBe(0)
  })

  test('because of a wrong secret makes reading fail with an internal error, not as a missing file', async () => {
    const unauthorized = await openStorage({
      dataDir,
      s3: { ...bucket(), secretAccessKey: 'wrong' },
    })
    await expect(unauthorized.get(newBlobId())).rejects.toThrow('403. Check TRADEPOST_S3_')
    await unauthorized.close()
  })
})
