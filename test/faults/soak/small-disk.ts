import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fillDisk } from '../disk.ts'

const run = promisify(execFile)

/** A separate file system that a fault can fill. */
export interface SmallDisk {
  folder: string
  fill(): Promise<void>
  free(): Promise<void>
  close(): Promise<void>
}

/** Twice the size of PostgreSQL's log, which can have 1 GB. */
const SIZE_MIB = 2_048

/** Mounts the disk. Returns undefined if this user may not mount one. */
export async function openSmallDisk(): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-soak-'))
  try {
    const options = `size=${SIZE_MIB}m,mode=1777`
    await run('mount', ['-t', 'tmpfs', '-o', options, 'tradepost-soak', folder])
  } catch {
    await rm(folder, { recursive: true })
    return undefined
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: () => fillDisk(ballast),
    free: () => rm(ballast, { force: true }),
    async close() {
      await run('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}
