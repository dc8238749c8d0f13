import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { MINUTE_MS } from '../kernel/time.ts'

/** What writes a draft needs milliseconds for it; a process beside us may be at it now. */
const LEFT_MS = MINUTE_MS

/** Removes drafts that killed processes left of a file: they hold its secrets, and a backup would take them along. */
export async function sweepDrafts(file: string): Promise<void> {
  const folder = dirname(file)
  const name = basename(file)
  for (const item of await readdir(folder)) {
    if (!item.startsWith(`${name}.`) || !/^\.\d+\.tmp$/.test(item.slice(name.length))) continue
    const path = join(folder, item)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > LEFT_MS) await rm(path, { force: true })
  }
}
