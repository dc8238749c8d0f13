import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdtemp, open, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addToKeyFile, makeKeyFile } from './key-file.ts'

let dataDir: string
/** The flushes, each with its path and the files that existed at that time. */
let flushes: { path: string; files: string[] }[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tradepost-key-'))
  flushes = []
  const handle = await open(dataDir)
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const { sync } = prototype
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const path = await readlink(`/proc/self/fd/${this.fd}`)
    flushes.push({ path, files: await readdir(dataDir) })
    return sync.call(this)
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(dataDir, { recursive: true })
})

test.runIf(process.platform === 'linux').each([
  ['created', makeKeyFile],
  ['changed', addToKeyFile],
])(
  'the folder of a key file that was %s is flushed, so the file survives a power failure',
  async (_, write) => {
    await write(dataDir, randomBytes(32))
    const [draft, folder] = flushes
    expect(flushes).toHaveLength(2)
    expect(draft?.path).toMatch(/secrets\.key\.\d+\.tmp$/)
    expect(draft?.files).not.toContain('secrets.key')
    expect(folder?.path).toBe(dataDir)
    expect(folder?.files).toContain('secrets.key')
  },
)
