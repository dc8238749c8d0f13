import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFile, takeLock } from './lock-file.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lock-file-test-'))
})

afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

const dead = { pid: 11, socket: 'dead', nonce: 'dead' }
const quicker = { pid: 12, socket: 'quicker', nonce: 'quicker' }
const mine = { pid: 13, socket: 'mine', nonce: 'mine' }

/** Only `quicker` is alive; a probe of the dead lock first runs `meanwhile`. */
const probing = (meanwhile: () => Promise<void>) => async (path: string) => {
  if (path === join(dir, 'dead')) await meanwhile()
  return path === join(dir, 'quicker')
}

test('a live lock that replaced the dead one after the probe stays, and no files of ours remain', async () => {
  await writeFile(lockFile(dir), JSON.stringify(dead))
  const listens = probing(() => writeFile(lockFile(dir), JSON.stringify(quicker)))

  expect(await takeLock(dir, mine, listens)).toEqual({ taken: false, pid: 12 })
  expect(JSON.parse(await readFile(lockFile(dir), 'utf8'))).toEqual(quicker)
  expect(await readdir(dir)).toEqual(['tradepost.lock'])
})

test('a lock that was released after the probe is taken', async () => {
  await writeFile(lockFile(dir), JSON.stringify(dead))
  const listens = probing(() => rm(lockFile(dir)))

  expect(await takeLock(dir, mine, listens)).toEqual({ taken: true })
  expect(JSON.parse(await readFile(lockFile(dir), 'utf8'))).toEqual(mine)
  expect(await readdir(dir)).toEqual(['tradepost.lock'])
})
