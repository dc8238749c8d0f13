import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const LOOK_AGAIN_MS = 50
const WAIT_MAX_MS = 300_000

let built: Promise<void> | undefined
let migrated: Promise<void> | undefined

/** Builds dist/ if it is older than src/. Files that run at once wait for the one that builds. */
export function buildOnce(): Promise<void> {
  built ??= underLock(() => run([join('scripts', 'build.mjs'), '--if-stale']))
  return built
}

const CACHE = join(ROOT, 'node_modules', '.cache')

/**
 * Copies an embedded database into a new folder, as `tradepost migrate` of this build leaves it. A copy
 * takes a tenth of the time that a new database takes.
 */
export async function copyMigrated(dataDir: string): Promise<void> {
  await buildOnce()
  const { mtimeMs } = await stat(join(ROOT, 'dist', '.built'))
  const template = join(CACHE, `tradepost-data-${mtimeMs}`)
  migrated ??= underLock(() => makeTemplate(template))
  await migrated
  await cp(template, dataDir, { recursive: true })
}

async function makeTemplate(template: string): Promise<void> {
  if (existsSync(template)) return
  await mkdir(CACHE, { recursive: true })
  const old = (await readdir(CACHE)).filter((name) => name.startsWith('tradepost-data-'))
  await Promise.all(old.map((name) => rm(join(CACHE, name), { recursive: true, force: true })))
  await run([join('bin', 'tradepost.mjs'), 'migrate'], { DATA_DIR: `${template}.new` })
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

/** One lock for each checkout, outside of it. */
const LOCK = join(
  tmpdir(),
  `tradepost-build-${createHash('sha256').update(ROOT).digest('hex').slice(0, 16)}.lock`,
)

async function underLock(work: () => Promise<void>): Promise<void> {
  const until = Date.now() + WAIT_MAX_MS
  while (!(await takeLock())) {
    if (Date.now() > until) throw new Error(`Another test builds for too long; remove ${LOCK}.`)
    await pause(LOOK_AGAIN_MS)
  }
  try {
    await work()
  } finally {
    await rm(LOCK, { force: true })
  }
}

async function takeLock(): Promise<boolean> {
  try {
    const file = await open(LOCK, 'wx')
    await file.writeFile(String(process.pid))
    await file.close()
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
    if (await isLeftBehind()) await rm(LOCK, { force: true })
    return false
  }
}

/** Returns true if the process that made the lock is gone. An empty lock is being written. */
async function isLeftBehind(): Promise<boolean> {
  const pid = Number(await readFile(LOCK, 'utf8').catch(() => ''))
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH'
  }
}
