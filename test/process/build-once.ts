import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const LOOK_AGAIN_MS = 50
const WAIT_MAX_MS = 60_000

let built: Promise<void> | undefined

/** Builds dist/ if it is older than src/. Files that run at once wait for the one that builds. */
export function buildOnce(): Promise<void> {
  built ??= underLock(build)
  return built
}

async function build(): Promise<void> {
  const script = join(ROOT, 'scripts', 'build.mjs')
  const child = spawn(process.execPath, [script, '--if-stale'], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('scripts/build.mjs failed: see its output.')
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
