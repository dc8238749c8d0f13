import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInstallation, type Installation, type Server } from './spawn-server.ts'

describe('`restore` is refused and changes nothing', () => {
  let installation: Installation
  let validBackup: Buffer
  const file = () => join(dirname(installation.dataDir), 'a.backup')
  const target = () => join(dirname(installation.dataDir), 'empty')

  beforeAll(async () => {
    installation = await createInstallation()
    const server = await installation.start()
    expect((await installation.run(['backup', file()])).code).toBe(0)
    validBackup = await readFile(file())
    await stop(server)
    await mkdir(target())
    await cp(join(installation.dataDir, 'secrets.key'), join(target(), 'secrets.key'))
  })
  afterAll(() => installation.close())

  const withChangedByte = () => {
    const bytes = Buffer.from(validBackup)
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
    return bytes
  }
  const NOT_A_BACKUP =
    /a\.backup is not a complete backup of Tradepost\. Use another backup; nothing was changed\.\n$/

  test.each<[string, () => Buffer]>([
    ['the end of the file is missing', () => validBackup.subarray(0, validBackup.length - 40)],
    ['a byte of the file was changed', withChangedByte],
    [
      'the file has only the first line',
      () => gzipSync(`${gunzipSync(validBackup).toString().split('\n')[0]}\n`),
    ],
    ['the file is not compressed', () => Buffer.from('a text')],
    ['the compressed file is not a backup', () => gzipSync('{}')],
    ['the file is empty', () => Buffer.alloc(0)],
  ])('if %s', async (_, invalidBackup) => {
    await writeFile(file(), invalidBackup())
    const { code, stderr } = await installation.run(['restore', file()], { DATA_DIR: target() })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(NOT_A_BACKUP) })
    expect(await readdir(target())).toEqual(['secrets.key'])
  })

  test('if the secrets key of the backup is missing, and names the key', async () => {
    await writeFile(file(), validBackup)
    const { code, stderr } = await installation.run(['restore', file()], {
      DATA_DIR: `${target()}-2`,
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /sealed with the secrets key \w{8}, which is not here\.\nPut its secrets\.key/,
    )
    expect(await readdir(`${target()}-2`).catch(() => [])).toEqual([])
  })

  test('if a server uses the database', async () => {
    await writeFile(file(), validBackup)
    const server = await installation.start()
    expect(await installation.run(['restore', file()])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is in use by process \d+\. Stop it first/),
    })
    await stop(server)
  })

  test('if the database has stores', async () => {
    await writeFile(file(), validBackup)
    expect(await installation.run(['restore', file()])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not empty\. Stores: 1\./),
    })
  })

  test('if the backup has another schema, and a valid backup can then be restored into the same folder', async () => {
    const text = gunzipSync(validBackup).toString().replace('"0001-foundation.sql",', '')
    await writeFile(file(), gzipSync(text))
    expect(await installation.run(['restore', file()], { DATA_DIR: target() })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/was made by version \S+, which has another schema/),
    })
    await writeFile(file(), validBackup)
    expect((await installation.run(['restore', file()], { DATA_DIR: target() })).code).toBe(0)
  })
})

describe('`backup` is refused', () => {
  let installation: Installation

  beforeAll(async () => {
    installation = await createInstallation()
    await stop(await installation.start())
  })
  afterAll(() => installation.close())

  test('if the file exists, which it does not change', async () => {
    const file = join(dirname(installation.dataDir), 'a.backup')
    await writeFile(file, 'a text')
    expect(await installation.run(['backup', file])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/a\.backup exists already\. Name/),
    })
    expect(await readFile(file, 'utf8')).toBe('a text')
  })

  test('if the folder does not exist, and names the folder', async () => {
    const folder = join(dirname(installation.dataDir), 'missing')
    expect(await installation.run(['backup', join(folder, 'a.backup')])).toMatchObject({
      code: 1,
      stderr: `The folder ${folder} does not exist. Create it first.\n`,
    })
  })
})

async function stop(server: Server): Promise<void> {
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
}
