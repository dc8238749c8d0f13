// Compiles src/ to dist/ and the client package to sdk/dist, copies SQL, and bundles the program and the dashboard.
// Types are not checked (`npm run check` does that). With --client it builds the client only.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The empty file whose time is the time of the last build. */
const BUILD_MARK = join(ROOT, 'dist', '.built')
const CLIENT = join(ROOT, 'sdk', 'dist')

/** @param {string} folder */
const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** @param {string} file */
const changedAt = (file) => statSync(file).mtimeMs

/** @param {string} project */
function compile(project) {
  const tsc = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(ROOT, project), '--noCheck'], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** The packages of some hundred small modules, which the program loads faster as a part of its bundle. */
const BUNDLED_PACKAGES = ['kysely', 'zod']

/**
 * Bundles the modules in dist/ to dist/program/, because Node needs more time to load a thousand files than to run
 * them (decision 451). A module that is imported when it is used is in a file of its own.
 */
async function bundleProgram() {
  const dir = join(ROOT, 'dist', 'program')
  // The bundler adds a helper of this name for templates with a `script` tag.
  const isOwn = (/** @type {string} */ id) =>
    /^(\.|@oxc-project\/runtime\/)/.test(id) || isAbsolute(id)
  const bundle = await rolldown({
    input: join(ROOT, 'dist', 'cli.js'),
    platform: 'node',
    external: (id) => !isOwn(id) && !BUNDLED_PACKAGES.includes(id),
    tsconfig: false,
  })
  await bundle.write({ dir, chunkFileNames: '[name].js' })
  const licenses = BUNDLED_PACKAGES.map((name) => {
    const text = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')
    return `${name}\n\n${text}`
  })
  writeFileSync(join(dir, 'LICENSES'), licenses.join('\n'))
}

/** Bundles the dashboard with Vite. */
function bundleDashboard() {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', join(ROOT, 'dashboard'), '--logLevel', 'warn']
  // Tests set NODE_ENV to "test", with which the development version of React would be bundled.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}

/** Compresses scripts and styles once, so that the server does not compress them for each request. */
async function compressDashboard() {
  const files = filesUnder(join(ROOT, 'dist', 'dashboard')).filter((file) =>
    /\.(js|css)$/.test(file),
  )
  const compress = async (/** @type {string} */ file) => {
    const bytes = readFileSync(file)
    writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes))
    writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
  await Promise.all(files.map(compress))
}

/**
 * Writes the commit of the sources, which `tradepost --version` prints. A folder that is not a clone has none, such as
 * an unpacked archive inside of another repository.
 */
function writeCommit() {
  const file = join(ROOT, 'dist', 'program', 'commit')
  const git = (/** @type {string[]} */ ...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  const commit = existsSync(join(ROOT, '.git')) ? git('rev-parse', '--short=12', 'HEAD') : undefined
  const changes = commit && git('status', '--porcelain', '--untracked-files=no')
  if (!commit || changes === undefined) rmSync(file, { force: true })
  else writeFileSync(file, changes === '' ? commit : `${commit}, changed`)
}

function buildClient() {
  rmSync(CLIENT, { recursive: true, force: true })
  compile('sdk/tsconfig.json')
  // The same for programs that call require(), and for TypeScript with an older resolution of modules.
  compile('sdk/tsconfig.cjs.json')
  writeFileSync(join(CLIENT, 'cjs', 'package.json'), '{ "type": "commonjs" }\n')
}

function isUpToDate() {
  if (!existsSync(BUILD_MARK) || !existsSync(CLIENT)) return false
  const builtAt = changedAt(BUILD_MARK)
  const folders = ['src', 'sdk', 'dashboard'].map((name) => join(ROOT, name))
  const sources = [...folders.flatMap(filesUnder), join(ROOT, 'package.json')]
  return sources.every((file) => file.startsWith(CLIENT) || changedAt(file) <= builtAt)
}

if (process.argv.includes('--client')) buildClient()
else {
  if (!(process.argv.includes('--if-stale') && isUpToDate())) await build()
  writeCommit()
}

async function build() {
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
  compile('tsconfig.build.json')
  buildClient()
  for (const folder of ['db/migrations', 'http/openapi/samples', 'reference/assets'])
    cpSync(join(ROOT, 'src', folder), join(ROOT, 'dist', folder), { recursive: true })
  await bundleProgram()
  bundleDashboard()
  await compressDashboard()
  writeFileSync(BUILD_MARK, '')
}
