import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMigratedInstallation } from './spawn-server.ts'

/** Matches packages and modules that a command needs only if it opens the database itself. */
const HEAVY =
  /node_modules\/(?!commander\/)|dist\/(features\/.*(?<!\/(commands|permissions|roles|[a-z]+\.rules)\.js)$|surfaces|http|main|app|events|storage)/

/** Returns the files that Node loaded, from the coverage that it writes when it exits. */
async function loadedFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const urls = texts.flatMap((text) => JSON.parse(text).result as { url: string }[])
  return urls.map(({ url }) => url).filter((url) => url.startsWith('file:'))
}

test('a command that a running server answers loads neither features nor a database', async () => {
  const installation = await createMigratedInstallation()
  try {
    await installation.start()
    const lines = [
      'stores list',
      'keys create --permissions all',
      'webhooks list',
      'migrate',
      'open',
    ]
    for (const line of lines) {
      const folder = join(installation.dataDir, `coverage-${line.replaceAll(' ', '-')}`)
      const result = await installation.run(line.split(' '), { NODE_V8_COVERAGE: folder })
      expect({ line, ...result }).toMatchObject({ line, code: 0, stderr: '' })
      const files = await loadedFiles(folder)
      expect(files.some((url) => url.endsWith('dist/control/ask-holder.js'))).toBe(true)
      expect(files.filter((url) => HEAVY.test(url))).toEqual([])
    }
  } finally {
    await installation.close()
  }
})

// This shows that the coverage contains such files, so that the test above could fail.
test('a command that opens the database itself loads features and a database', async () => {
  const installation = await createMigratedInstallation()
  try {
    const folder = join(installation.dataDir, 'coverage')
    const env = { NODE_V8_COVERAGE: folder }
    expect((await installation.run(['stores', 'create', '--name', 'Alone'], env)).code).toBe(0)
    const heavy = (await loadedFiles(folder)).filter((url) => HEAVY.test(url))
    expect(heavy.length).toBeGreaterThan(100)
  } finally {
    await installation.close()
  }
})
