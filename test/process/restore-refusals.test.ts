import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInstallation, type Installation } from './spawn-server.ts'

describe('`restore` changes nothing', () => {
  let installation: Installation
  let good: Buffer
  const file = () => join(dirname(installation.dataDir), 'a.backup')
  const target = () => join(dirname(installation.dataDir), 'empty')

  beforeAll(async () => {
    installation = await createInstallation()
    const server = await installation.start()
    expect((await installation.run(['backup', file()])).code).toBe(0)
    good = await readFile(file())
    expect((await installation.run(['backup', file()])).stderr).toMatch(
      /a\.backup exists already\. Name/,
    )
    await writeFile(file(), good)
    expect(await installation.run(['restore', file()])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is in use by process \d+\. Stop it first/),
    })
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    await mkdir(target())
    await cp(join(installation.dataDir, 'secrets.key'), join(target(), 'secrets.key'))
  })
  afterAll(() => installation.close())

  const spoiled = (at: number) => {
    const bytes = Buffer.from(good)
    bytes[Math.floor(bytes.length * at)] = (bytes[Math.floor(bytes.length * at)] ?? 0) ^ 0xff
    return bytes
  }
  const NO_BACKUP = /a\.backup is no whole backup of Tradepost\. Nothing was changed\.\n$/

  test.each<[string, () => Buffer]>([
    ['where the file was cut off', () => good.subarray(0, good.length - 40)],
    ['where a byte of it is another', () => spoiled(0.5)],
    ['where it ends early', () => gzipSync(`${gunzipSync(good).toString().split('\n')[0]}\n`)],
    ['where it is another file', () => Buffer.from('a text')],
    ['where it is another compressed file', () => gzipSync('{}')],
    ['where it is empty', () => Buffer.alloc(0)],
  ])('%s', async (_, bytes) => {
    await writeFile(file(), bytes())
    const { code, stderr } = await installation.run(['restore', file()], { DATA_DIR: target() })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(NO_BACKUP) })
    expect(await readdir(target())).toEqual(['secrets.key'])
  })

  test('without the secrets key that it was sealed with, which it names', async () => {
    await writeFile(file(), good)
    const { code, stderr } = await installation.run(['restore', file()], {
      DATA_DIR: `${target()}-2`,
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /sealed with the secrets key \w{8}, which is not here\.\nPut its secrets\.key/,
    )
    expect(await readdir(`${target()}-2`).catch(() => [])).toEqual([])
  })

  test('where the database has stores, and where another version made the backup', async () => {
    await writeFile(file(), good)
    const full = await installation.run(['restore', file()])
    expect(full).toMatchObject({ code: 1, stderr: expect.stringMatching(/has 2 stores already/) })
    const text = gunzipSync(good).toString().replace('"0001-foundation.sql",', '')
    await writeFile(file(), gzipSync(text))
    const old = await installation.run(['restore', file()], { DATA_DIR: target() })
    expect(old).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/was made by version \S+, whose schema is another one/),
    })
    await writeFile(file(), good)
    expect((await installation.run(['restore', file()], { DATA_DIR: target() })).code).toBe(0)
  })
})
