import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildOnce, ROOT } from './build-once.ts'
import { call, targetOf } from './client.ts'
import { createMigratedInstallation } from './spawn-server.ts'

const FULL_DISK = process.platform === 'linux' ? '/dev/full' : '/dev/null'

test('a process whose log cannot be written continues, and SIGHUP ends the process normally', async () => {
  const installation = await createMigratedInstallation({ LOG_LEVEL: 'debug' })
  try {
    const server = await installation.start({}, `exec >${FULL_DISK}`)

    for (let n = 0; n < 3; n++) {
      expect((await call(targetOf(server), 'GET', '/products')).status).toBe(200)
    }
    // The tests of the APIs run the source, and the bundler may remove calls.
    for (const path of ['/%zz', '/orders/%ff', '/orders/%'])
      expect((await call(targetOf(server), 'GET', path)).json.code).toBe('NOT_FOUND')
    server.signal('SIGHUP')
    expect(await server.ended).toBe(0)
    expect(server.stderr()).toBe('')
    // The process ended normally: a killed process leaves its ready file.
    await expect(access(installation.readyFile)).rejects.toThrow()
  } finally {
    await installation.close()
  }
})

test('the bundled program has no try block whose work was removed', async () => {
  await buildOnce()
  const folder = join(ROOT, 'dist', 'program')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  expect(
    files.flatMap((text) => text.match(/try \{\s*(?:return [\w".]*;\s*)?\} catch/g) ?? []),
  ).toEqual([])
})
