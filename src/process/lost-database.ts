import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** Files that an installation keeps in `DATA_DIR` besides its database. */
const TRACES = ['secrets.key', 'files']

/**
 * Refuses a folder that an installation used but whose database is missing. A new database there
 * would be empty, and look like data loss (decision 111).
 */
export async function refuseLostDatabase(dataDir: string): Promise<void> {
  if ((await namesIn(join(dataDir, 'pg'))).length > 0) return
  const names = await namesIn(dataDir)
  const traces = TRACES.filter((name) => names.includes(name)).join(' and ')
  if (traces === '') return
  throw new StartError(
    `DATA_DIR: ${dataDir} holds ${traces} of an installation, but not its database.\n` +
      'Restore a backup (tradepost restore FILE, or the folder pg), or set DATABASE_URL where the database is on a server. ' +
      `To begin anew, move ${traces} away.`,
  )
}

/** Refuses a folder without a database; DATA_DIR is probably mistyped (decision 130). */
export async function needDatabase(dataDir: string): Promise<void> {
  if ((await namesIn(join(dataDir, 'pg'))).length > 0) return
  await refuseLostDatabase(dataDir)
  throw new StartError(
    `DATA_DIR: ${dataDir} holds no store. Set DATA_DIR to the folder of yours, or make one with: tradepost start`,
    1,
  )
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    return []
  })
