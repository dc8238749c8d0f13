import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { MINUTE_MS } from '../kernel/time.ts'

/** The age from which a temporary copy is removed. A younger one may belong to a running process. */
const STALE_MS = MINUTE_MS

/**
 * Removes the temporary copies `<file>.<pid>.tmp` that killed processes left, because they contain secrets and
 * a backup would include them.
 */
export async function sweepDrafts(file: string): Promise<void> {
  const folder = dirname(file)
  const name = basename(file)
  for (const item of await readdir(folder)) {
    if (!item.startsWith(`${name}.`) || !/^\.\d+\.tmp$/.test(item.slice(name.length))) continue
    const path = join(folder, item)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > STALE_MS) await rm(path, { force: true })
  }
}
