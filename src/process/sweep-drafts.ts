import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { MINUTE_MS } from '../kernel/time.ts'

/** Writing a draft takes milliseconds; a younger draft may belong to a running process. */
const LEFT_MS = MINUTE_MS

/**
 * Removes drafts left by killed processes: they contain secrets, and a backup would include them.
 */
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
