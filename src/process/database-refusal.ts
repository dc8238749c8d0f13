import type { Config } from '../config/config.ts'
import { UnfitFolderError } from '../db/embedded/data-folder.ts'
import { UnfitDatabaseError } from '../db/migrate.ts'
import { StartError } from './start-error.ts'

/** SQLSTATEs of wrong settings, for which waiting does not help, with what to do. */
const CURES: Record<string, string> = {
  '28000': 'Allow this user to connect, or use another.',
  '28P01': 'Check the user and the password.',
  '3D000': 'Create the database, or use another.',
  '42501': 'Make this user the owner of the database.',
  '42P07': 'Use an empty database, or one that Tradepost created.',
}

const DISK_FULL = '53100'
const FULL = 'the disk is full. Free some space, then start again.'

/** Errors of files in `DATA_DIR`, such as after a restore by another user. */
const FILE_CURES: Record<string, string> = {
  EACCES: 'this user may not use it. Give it to the user that runs Tradepost.',
  EPERM: 'this user may not use it. Give it to the user that runs Tradepost.',
  EROFS: 'its file system is read-only. Make it writable, or set another DATA_DIR.',
  ENOSPC: FULL,
  EDQUOT: FULL,
}

/**
 * Converts the error to a sentence for the operator if a setting is wrong; returns other errors
 * unchanged.
 */
export function asRefusal(config: Config, error: unknown): unknown {
  if (error instanceof UnfitDatabaseError || error instanceof UnfitFolderError) {
    return new StartError(error.message)
  }
  const { code = '', message, path } = error as NodeJS.ErrnoException
  const why = FILE_CURES[code]
  // Failed writes have no path.
  const file = path ?? (why === FULL ? config.dataDir : '')
  if (why && file.startsWith(config.dataDir)) return new StartError(`DATA_DIR: ${file}: ${why}`)
  const cure = CURES[code]
  if (code === DISK_FULL && !config.databaseUrl) {
    return new StartError(`DATA_DIR: ${config.dataDir}: ${FULL}`, 1)
  }
  if (cure === undefined || !config.databaseUrl) return error
  return new StartError(`DATABASE_URL: ${hostOf(config)} says: ${message}. ${cure}`)
}

/** The host of the database, without the password. */
export function hostOf({ databaseUrl }: Config): string {
  if (!databaseUrl) return 'embedded'
  const { host, searchParams } = new URL(databaseUrl)
  return host || searchParams.get('host') || 'localhost'
}
