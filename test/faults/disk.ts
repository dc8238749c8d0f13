import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ask } from '../database.ts'

const run = promisify(execFile)

/** A disk for a database server, which a test can fill. */
interface Disk {
  /** The folder for the server's files. Undefined if the full disk is simulated. */
  folder?: string
  /** `database` is the address of the database in which the full disk is simulated. */
  fill(database?: string): Promise<void>
  free(database?: string): Promise<void>
  close(): Promise<void>
}

const SIZE = '256m'
const MIB = Buffer.alloc(1024 * 1024, 'x')

/** Mounts a small file system. If this user may not mount one, triggers simulate the errors of a full disk. */
export async function openDisk(): Promise<Disk> {
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=1777`, 'tradepost-test', folder])
  } catch {
    await rm(folder, { recursive: true })
    return simulatedDisk
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: () => fillDisk(ballast),
    free: () => rm(ballast),
    async close() {
      await run('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}

/** Writes a file until the disk is full. */
export async function fillDisk(path: string): Promise<void> {
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

const TABLES = ['event', 'webhook_fanout', 'webhook_delivery', 'webhook_retry', 'webhook_attempt']

/** Refuses inserts with PostgreSQL's error for a full disk. */
const simulatedDisk: Disk = {
  async fill(database = '') {
    await ask(
      database,
      `create function disk_full() returns trigger language plpgsql as $$
       begin
         raise exception 'could not extend file: No space left on device' using errcode = '53100';
       end $$`,
    )
    for (const table of TABLES) {
      await ask(
        database,
        `create trigger disk_full before insert on ${table} execute function disk_full()`,
      )
    }
  },
  free: (database = '') => ask(database, 'drop function disk_full cascade').then(() => undefined),
  close: async () => undefined,
}
