import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ask } from '../database.ts'

const run = promisify(execFile)

/** A disk for a database server, which a test may fill. */
export interface Disk {
  /** The folder for the server's files; undefined if the full disk is simulated. */
  folder?: string
  fill(database: string): Promise<void>
  free(database: string): Promise<void>
  close(): Promise<void>
}

const SIZE = '256m'
const CHUNK = Buffer.alloc(1024 * 1024, 'x')

/** A small file system of its own where we may mount one; else a database that answers as on a full disk. */
export async function openDisk(): Promise<Disk> {
  const folder = await mkdtemp(join(tmpdir(), 'tradepost-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=1777`, 'tradepost-test', folder])
  } catch {
    await rm(folder, { recursive: true })
    return playedDisk
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: () => fillUp(ballast),
    free: () => rm(ballast),
    async close() {
      await run('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}

async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (let chunk = CHUNK; chunk.length > 0; ) {
      const written = await file.write(chunk).then(
        ({ bytesWritten }) => bytesWritten,
        ({ code }) => {
          if (code === 'ENOSPC') return 0
          throw new Error(`The disk answers ${code}.`)
        },
      )
      // The last bytes fit only in smaller pieces.
      if (written === 0) chunk = chunk.subarray(0, Math.floor(chunk.length / 2))
    }
  } finally {
    await file.close()
  }
}

const TABLES = ['event', 'webhook_fanout', 'webhook_delivery', 'webhook_retry', 'webhook_attempt']

/** Writes are refused in PostgreSQL's own words. */
const playedDisk: Disk = {
  async fill(database) {
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
  free: (database) => ask(database, 'drop function disk_full cascade').then(() => undefined),
  close: async () => undefined,
}
