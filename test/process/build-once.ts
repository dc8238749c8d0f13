import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isReached } from '../until.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * With these options, V8 never optimizes the embedded database, and optimizes JavaScript 15 times later. Optimizing
 * takes almost half of the processor time of a start, which a program that runs for seconds does not regain.
 */
export const HARDLY_OPTIMIZED = [
  '--liftoff-only',
  // Later versions of Node have no such option.
  ...(process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : []),
]

const POLL_MS = 50
const LOCK_TIMEOUT_MS = 300_000

let building: Promise<void> | undefined
let migrating: Promise<void> | undefined

/** Builds dist/ if it is older than its sources. Concurrent test files wait for the one that builds. */
export function buildOnce(): Promise<void> {
  building ??= withLock(() => run([join('scripts', 'build.mjs'), '--if-stale']))
  return building
}

const CACHE = join(ROOT, 'node_modules', '.cache')

/**
 * Copies an embedded database, which `tradepost migrate` of this build created, into a new folder. The copy takes a
 * tenth of the time of a migration.
 */
export async function copyMigrated(dataDir: string): Promise<void> {
  await buildOnce()
  const { mtimeMs } = await stat(join(ROOT, 'dist', '.built'))
  const template = join(CACHE, `tradepost-data-${mtimeMs}`)
  migrating ??= withLock(() => createTemplate(template))
  await migrating
  // `fs.cp` takes several times the processor time.
  await promisify(execFile)('cp', ['-R', template, dataDir])
}

async function createTemplate(template: string): Promise<void> {
  if (existsSync(template)) return
  await mkdir(CACHE, { recursive: true })
  const oldTemplates = (await readdir(CACHE)).filter((name) => name.startsWith('tradepost-data-'))
  for (const name of oldTemplates) await rm(join(CACHE, name), { recursive: true, force: true })
  await run([...HARDLY_OPTIMIZED, join('bin', 'tradepost.mjs'), 'migrate'], {
    DATA_DIR: `${template}.new`,
  })
  await rename(`${template}.new`, template)
}

async function run(script: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const child = spawn(process.execPath, [...script], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${script.join(' ')} failed: see its output.`)
}

/** The lock file of this checkout. It is outside of the checkout, because a build deletes folders in it. */
const LOCK = join(
  tmpdir(),
  `tradepost-build-${createHash('sha256').update(ROOT).digest('hex').slice(0, 16)}.lock`,
)

async function withLock(work: () => Promise<void>): Promise<void> {
  if (!(await isReached(acquireLock, LOCK_TIMEOUT_MS, POLL_MS))) {
    throw new Error(`Another process has held ${LOCK} for ${LOCK_TIMEOUT_MS / 1_000} s. End it.`)
  }
  try {
    await work()
  } finally {
    await rm(LOCK, { force: true })
  }
}

async function acquireLock(): Promise<boolean> {
  try {
    const file = await open(LOCK, 'wx')
    await file.writeFile(String(process.pid))
    await file.close()
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
    if (await isStale()) await rm(LOCK, { force: true })
    return false
  }
}

/** Returns true if the process that created the lock has ended. If the file is empty, its process is still writing. */
async function isStale(): Promise<boolean> {
  const pid = Number(await readFile(LOCK, 'utf8').catch(() => ''))
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH'
  }
}
