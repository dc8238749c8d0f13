import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file system of our own, which a fault may fill. */
export interface SmallDisk {
  folder: string
  fill(): Promise<void>
  free(): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL keeps up to 1 GB of log. */
const SIZE_MIB = 2_048
const MIB = Buffer.alloc(1024 * 1024, 'x')

/** Undefined where this user may not mount one. */
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
    fill: () => fillUp(ballast),
    free: () => rm(ballast, { force: true }),
    async close() {
      await run('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}

async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    // The last bytes fit only in smaller pieces.
    for (let piece = MIB; piece.length > 0; ) {
      const { bytesWritten } = await file.write(piece).catch((error) => {
        if (error.code !== 'ENOSPC') throw error
        return { bytesWritten: 0 }
      })
      if (bytesWritten === 0) piece = piece.subarray(0, Math.floor(piece.length / 2))
    }
  } finally {
    await file.close()
  }
}
