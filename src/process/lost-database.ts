import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** The files of an installation in `DATA_DIR`, in addition to its database. */
const INSTALLATION_FILES = ['secrets.key', 'files']

/**
 * Refuses a folder with files of an installation but without its database. A new, empty database there
 * would look like data loss (decision 111).
 */
export async function refuseLostDatabase(dataDir: string): Promise<void> {
  if ((await namesIn(join(dataDir, 'pg'))).length > 0) return
  const names = await namesIn(dataDir)
  const foundFiles = INSTALLATION_FILES.filter((name) => names.includes(name)).join(' and ')
  if (foundFiles === '') return
  throw new StartError(
    `DATA_DIR: ${dataDir} has ${foundFiles} of an installation, but not its database.\n` +
      'Restore a backup (tradepost restore FILE, or the folder pg), or set DATABASE_URL if the database is on a server. ' +
      `To start with an empty database, move ${foundFiles} away.`,
  )
}

/** Refuses a folder without a database, because DATA_DIR is probably mistyped (decision 130). */
export async function requireDatabase(dataDir: string): Promise<void> {
  if ((await namesIn(join(dataDir, 'pg'))).length > 0) return
  await refuseLostDatabase(dataDir)
  throw new StartError(
    `DATA_DIR: ${dataDir} has no database. Set DATA_DIR to the folder of your store, or create a store with: tradepost start`,
    1,
  )
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    return []
  })
