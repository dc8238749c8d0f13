import type { Config } from '../config/config.ts'
import { UnfitFolderError } from '../db/embedded/data-folder.ts'
import { UnfitDatabaseError } from '../db/migrate.ts'
import { StartError } from './start-error.ts'

/** The remedies for PostgreSQL error codes that are caused by wrong settings. */
const CURES: Record<string, string> = {
  '28000': 'Allow this user to connect, or use another.',
  '28P01': 'Check the user and the password.',
  '3D000': 'Create the database, or use another.',
  '42501': 'Make this user the owner of the database.',
  '42P07': 'Use an empty database, or one that Tradepost created.',
}

const DISK_FULL = '53100'
const DISK_FULL_TEXT = 'the disk is full. Free some space, then start again.'

/** The remedies for file errors in `DATA_DIR`, such as after a restore by another user. */
const FILE_CURES: Record<string, string> = {
  EACCES: 'this user may not use it. Give it to the user that runs Tradepost.',
  EPERM: 'this user may not use it. Give it to the user that runs Tradepost.',
  EROFS: 'its file system is read-only. Make it writable, or set another DATA_DIR.',
  ENOSPC: DISK_FULL_TEXT,
  EDQUOT: DISK_FULL_TEXT,
}

/**
 * Converts an error that is caused by a wrong setting to a `StartError` with a remedy. Other errors are returned
 * unchanged.
 */
export function asStartError(config: Config, error: unknown): unknown {
  if (error instanceof UnfitDatabaseError || error instanceof UnfitFolderError) {
    return new StartError(error.message)
  }
  const { code = '', message, path } = error as NodeJS.ErrnoException
  const reason = FILE_CURES[code]
  // Failed writes have no path.
  const file = path ?? (reason === DISK_FULL_TEXT ? config.dataDir : '')
  if (reason && file.startsWith(config.dataDir)) {
    // With a full disk, no setting is wrong.
    const exitCode = reason === DISK_FULL_TEXT ? 1 : 2
    return new StartError(`DATA_DIR: ${file}: ${reason}`, exitCode)
  }
  const cure = CURES[code]
  if (code === DISK_FULL && !config.databaseUrl)
    return new StartError(`DATA_DIR: ${config.dataDir}: ${DISK_FULL_TEXT}`, 1)
  if (cure === undefined || !config.databaseUrl) return error
  return new StartError(`DATABASE_URL: ${hostOf(config)} says: ${message}. ${cure}`)
}

/** Returns the host of the database for messages, without user and password. */
export function hostOf({ databaseUrl }: Config): string {
  if (!databaseUrl) return 'embedded'
  const { host, searchParams } = new URL(databaseUrl)
  return host || searchParams.get('host') || 'localhost'
}
