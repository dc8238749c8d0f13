import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as sockets from './control-socket.ts'
import { lockFile, takeLock } from './lock-file.ts'

vi.mock('./control-socket.ts', async (original) => ({ ...(await original<typeof sockets>()) }))

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lock-file-test-'))
})

afterEach(async () => {
  vi.restoreAllMocks()
  await rm(dir, { recursive: true, force: true })
})

const dead = { pid: 11, socket: 'dead', nonce: 'dead' }
const quicker = { pid: 12, socket: 'quicker', nonce: 'quicker' }
const mine = { pid: 13, socket: 'mine', nonce: 'mine' }

/** Only `quicker` is alive; whoever finds the dead lock is held up for `meanwhile`. */
function probing(meanwhile: () => Promise<void>) {
  const isListening = vi.spyOn(sockets, 'isListening')
  isListening.mockImplementation(async (path) => {
    if (path === join(dir, 'dead')) await meanwhile()
    return path === join(dir, 'quicker')
  })
}

test('a live lock that replaced the dead one after our probe stays, and nothing is left of us', async () => {
  await writeFile(lockFile(dir), JSON.stringify(dead))
  probing(() => writeFile(lockFile(dir), JSON.stringify(quicker)))

  expect(await takeLock(dir, mine)).toEqual({ taken: false, pid: 12 })
  expect(JSON.parse(await readFile(lockFile(dir), 'utf8'))).toEqual(quicker)
  expect(await readdir(dir)).toEqual(['tradepost.lock'])
})

test('a lock that was released after our probe is taken', async () => {
  await writeFile(lockFile(dir), JSON.stringify(dead))
  probing(() => rm(lockFile(dir)))

  expect(await takeLock(dir, mine)).toEqual({ taken: true })
  expect(JSON.parse(await readFile(lockFile(dir), 'utf8'))).toEqual(mine)
  expect(await readdir(dir)).toEqual(['tradepost.lock'])
})
