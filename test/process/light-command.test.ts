import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { ROOT } from './build-once.ts'
import { migratedDatabase, settingsFor, sharedPostgres } from './real-postgres.ts'
import { createInstallation, createMigratedInstallation } from './spawn-server.ts'

const requirePostgres = sharedPostgres()

/** Matches packages and modules that a command needs only if it opens the database itself. */
const HEAVY =
  /node_modules\/(?!commander\/)|dist\/(features\/.*(?<!\/(commands|permissions|roles|[a-z]+\.rules)\.js)$|surfaces|http|main|app|events|storage)/

/** Matches files of the bundle. */
const BUNDLED = /\/dist\/program\/[^/]+\.js$/
/** Matches the comment with which the bundler begins a module. */
const MODULE = /^\/\/ ((?:dist|node_modules)\/\S+\.m?js)$/gm

/** Returns the files that Node loaded, from the coverage that it writes when it exits. */
async function loadedFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const urls = texts.flatMap((text) => JSON.parse(text).result as { url: string }[])
  return urls.map(({ url }) => url).filter((url) => url.startsWith('file:'))
}

/** Returns the loaded files, and for each file of the bundle its modules instead. */
async function loadedModules(folder: string): Promise<string[]> {
  const modulesOf = async (url: string) => {
    if (!BUNDLED.test(url)) return [url]
    const text = await readFile(new URL(url), 'utf8')
    return [...text.matchAll(MODULE)].map(([, module = '']) => module)
  }
  return (await Promise.all((await loadedFiles(folder)).map(modulesOf))).flat()
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
      const modules = await loadedModules(folder)
      expect(modules).toContain('dist/control/ask-holder.js')
      expect(modules.filter((module) => HEAVY.test(module))).toEqual([])
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
    const heavy = (await loadedModules(folder)).filter((module) => HEAVY.test(module))
    expect(heavy.length).toBeGreaterThan(100)
  } finally {
    await installation.close()
  }
})

/** Matches files outside of the bundle which it contains. The embedded database runs in a thread of its own. */
const SEPARATE = /^dist\/(?!program\/|db\/embedded\/[a-z-]+\.mjs$)|^node_modules\/(kysely|zod)\//

test('a server loads its modules, Kysely and zod from the bundle (decision 451)', async () => {
  const installation = await createMigratedInstallation()
  try {
    const folder = join(installation.dataDir, 'coverage')
    const server = await installation.start({ NODE_V8_COVERAGE: folder })
    server.signal('SIGTERM')
    await server.ended
    const paths = (await loadedFiles(folder)).map((url) => relative(ROOT, fileURLToPath(url)))
    expect(paths).toContain(join('dist', 'program', 'main.js'))
    expect(paths.filter((path) => SEPARATE.test(path))).toEqual([])
  } finally {
    await installation.close()
  }
})

/** Matches packages that a start does not need. */
const LARGE = /node_modules\/(transliteration|sanitize-html|htmlparser2|postcss|stripe)\//
const PROBE = fileURLToPath(new URL('start-probe.mjs', import.meta.url))
/** The young generation of V8 may have 32 MB, and has half of that for new objects. */
const YOUNG_MAX_MB = 8

test('a server is ready before it loads large packages and before its young generation grows (decision 451)', async (context) => {
  const database = await migratedDatabase(requirePostgres(context))
  const installation = await createInstallation(settingsFor(database.url))
  try {
    const file = join(installation.dataDir, 'probe.json')
    await installation.start({ NODE_OPTIONS: `--import ${PROBE}`, START_PROBE: file })
    const probe = () => readFile(file, 'utf8').then(JSON.parse)
    const { young_mb, files } = await vi.waitFor(probe, { timeout: 60_000 })
    expect(files.some((path: string) => path.includes('node_modules/pg/'))).toBe(true)
    expect(files.filter((path: string) => LARGE.test(path))).toEqual([])
    expect(young_mb).toBeLessThanOrEqual(YOUNG_MAX_MB)
  } finally {
    await installation.close()
    await database.drop()
  }
})
