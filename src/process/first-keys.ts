import { appendFile, chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../app.ts'
import type { OpenedSide } from '../features/store/index.ts'

export const keysFileOf = (dataDir: string): string => join(dataDir, 'keys.txt')

/**
 * Writes the keys of stores that this start created into a file that only its owner can read, and
 * that stays until it is deleted (decision 146). Does nothing where no keys were created.
 */
export async function writeFirstKeys(
  { config, clock }: Pick<App, 'config' | 'clock'>,
  created: readonly OpenedSide[],
): Promise<void> {
  if (created.length === 0) return
  const file = keysFileOf(config.dataDir)
  const head = `# The first keys, created ${new Date(clock.now()).toISOString()}. Each has every permission.
# Store them in a password manager, then delete this file: the database holds only their hashes.
`
  // Appended, because a file of an earlier database in this folder may hold keys that were not
  // copied yet.
  await appendFile(file, [head, ...created.map(linesOf)].join('\n'), { mode: 0o600 })
  await chmod(file, 0o600)
}

function linesOf({ slug, livemode, id, api_key, security_key, app_public_id }: OpenedSide): string {
  const rows = [
    ['store id', id],
    ['API key', api_key],
    ['security key', security_key],
    ['app', app_public_id],
  ]
  const lines = rows.flatMap(([name, value]) => (value ? `${name?.padEnd(13)} ${value}` : []))
  return [`${slug}, ${livemode ? 'live' : 'test'} side`, ...lines, ''].join('\n')
}
