import type { Config } from '../config/config.ts'
import { UnfitFolderError } from '../db/embedded/data-folder.ts'
import { UnfitDatabaseError } from '../db/migrate.ts'
import { StartError } from './start-error.ts'

/** What a server says to an address, a user or a password that is wrong: waiting does not help. */
const CURES: Record<string, string> = {
  '28000': 'Let this user in, or name another.',
  '28P01': 'Write the user and the password that the server knows.',
  '3D000': 'Create it, or name another.',
  '42501': 'Make its user the owner of the database.',
  '42P07': 'Name a database that is empty, or that Tradepost made.',
}

const DISK_FULL = '53100'
const FULL = 'the disk is full. Make room, and start again.'

/** What the system says of a file in `DATA_DIR`, as after a restore by another user. */
const FILE_CURES: Record<string, string> = {
  EACCES: 'this user may not use it. Give it to the user that runs Tradepost.',
  EPERM: 'this user may not use it. Give it to the user that runs Tradepost.',
  EROFS: 'its file system is read-only. Make it writable, or set another DATA_DIR.',
  ENOSPC: FULL,
  EDQUOT: FULL,
}

/** As a sentence for the operator where the setting is at fault, else as it is. */
export function asRefusal(config: Config, error: unknown): unknown {
  if (error instanceof UnfitDatabaseError || error instanceof UnfitFolderError) {
    return new StartError(error.message)
  }
  const { code = '', message, path } = error as NodeJS.ErrnoException
  const why = FILE_CURES[code]
  // What fails while it writes names no path.
  const place = path ?? (why === FULL ? config.dataDir : '')
  if (why && place.startsWith(config.dataDir)) return new StartError(`DATA_DIR: ${place}: ${why}`)
  const cure = CURES[code]
  if (code === DISK_FULL && !config.databaseUrl) {
    return new StartError(`DATA_DIR: ${config.dataDir}: ${FULL}`, 1)
  }
  if (cure === undefined || !config.databaseUrl) return error
  return new StartError(`DATABASE_URL: ${hostOf(config)} says: ${message}. ${cure}`)
}

/** Never with its password. */
export function hostOf({ databaseUrl }: Config): string {
  if (!databaseUrl) return 'embedded'
  const { host, searchParams } = new URL(databaseUrl)
  return host || searchParams.get('host') || 'localhost'
}
