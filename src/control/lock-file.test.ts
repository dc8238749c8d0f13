import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireLock, lockFile } from './lock-file.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lock-file-test-'))
})

afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

const staleLock = { pid: 11, socket: 'stale', nonce: 'stale' }
const otherLock = { pid: 12, socket: 'other', nonce: 'other' }
const ownLock = { pid: 13, socket: 'own', nonce: 'own' }

/** A probe that finds a process only at `otherLock`. The probe of `staleLock` first calls `meanwhile`. */
const probeAfter = (meanwhile: () => Promise<void>) => async (path: string) => {
  if (path === join(dir, 'stale')) await meanwhile()
  return path === join(dir, 'other')
}

test('a held lock that replaced the stale lock after the probe is not removed, and no other files remain', async () => {
  await writeFile(lockFile(dir), JSON.stringify(staleLock))
  const listens = probeAfter(() => writeFile(lockFile(dir), JSON.stringify(otherLock)))

  expect(await acquireLock(dir, ownLock, listens)).toEqual({ locked: false, pid: 12 })
  expect(JSON.parse(await readFile(lockFile(dir), 'utf8'))).toEqual(otherLock)
  expect(await readdir(dir)).toEqual(['tradepost.lock'])
})

test('a lock that was released after the probe is acquired', async () => {
  await writeFile(lockFile(dir), JSON.stringify(staleLock))
  const listens = probeAfter(() => rm(lockFile(dir)))

  expect(await acquireLock(dir, ownLock, listens)).toEqual({ locked: true })
  expect(JSON.parse(await readFile(lockFile(dir), 'utf8'))).toEqual(ownLock)
  expect(await readdir(dir)).toEqual(['tradepost.lock'])
})
