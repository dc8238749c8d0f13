import type { Config } from '../config/config.ts'
import { UnfitDatabaseError } from '../db/migrate.ts'
import { StartError } from './start-error.ts'

/** What a server says to an address, a user or a password that is wrong: waiting does not help. */
const CURES: Record<string, string> = {
  '28000': 'Let this user in, or name another.',
  '28P01': 'Write the user and the password that the server knows.',
  '3D000': 'Create it, or name another.',
  '42501': 'Make its user the owner of the database.',
}

/** As a sentence for the operator where the setting is at fault, else as it is. */
export function asRefusal(config: Config, error: unknown): unknown {
  if (error instanceof UnfitDatabaseError) return new StartError(error.message)
  const { code = '', message } = error as { code?: string; message: string }
  const cure = CURES[code]
  if (cure === undefined) return error
  return new StartError(`DATABASE_URL: ${hostOf(config)} says: ${message}. ${cure}`)
}

/** Never with its password. */
export function hostOf({ databaseUrl }: Config): string {
  if (!databaseUrl) return 'embedded'
  const { host, searchParams } = new URL(databaseUrl)
  return host || searchParams.get('host') || 'localhost'
}
