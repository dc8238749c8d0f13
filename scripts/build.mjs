// Compiles src/ to dist/ and the client package to sdk/dist, and bundles the dashboard. Types are erased
// without a check (`npm run check` does that). SQL is copied. With --client it builds the client only.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BUILT = join(ROOT, 'dist', '.built')
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
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(ROOT, project), '--noCheck'], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** Bundles the dashboard as a child process: it is the only part that needs Vite. */
function bundle() {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', join(ROOT, 'dashboard'), '--logLevel', 'warn']
  // Tests set NODE_ENV to "test", with which React would be bundled in its development form.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}

function buildClient() {
  rmSync(CLIENT, { recursive: true, force: true })
  compile('sdk/tsconfig.json')
}

function isFresh() {
  if (!existsSync(BUILT) || !existsSync(CLIENT)) return false
  const built = changedAt(BUILT)
  const folders = ['src', 'sdk', 'dashboard'].map((name) => join(ROOT, name))
  const sources = [...folders.flatMap(filesUnder), join(ROOT, 'package.json')]
  return sources.every((file) => file.startsWith(CLIENT) || changedAt(file) <= built)
}

if (process.argv.includes('--client')) buildClient()
else if (!(process.argv.includes('--if-stale') && isFresh())) {
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
  compile('tsconfig.build.json')
  buildClient()
  cpSync(join(ROOT, 'src', 'db', 'migrations'), join(ROOT, 'dist', 'db', 'migrations'), {
    recursive: true,
  })
  cpSync(join(ROOT, 'src', 'reference', 'assets'), join(ROOT, 'dist', 'reference', 'assets'), {
    recursive: true,
  })
  bundle()
  writeFileSync(BUILT, '')
}
