import { appendFile, chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../app.ts'
import type { StoreSide } from '../features/store/index.ts'

export const keysFileOf = (dataDir: string): string => join(dataDir, 'keys.txt')

/**
 * Writes the keys of the stores that this start created into a file that only its owner can read. The
 * operator deletes the file (decision 146).
 */
export async function writeFirstKeys(
  { config, clock }: Pick<App, 'config' | 'clock'>,
  createdSides: readonly StoreSide[],
): Promise<void> {
  if (createdSides.length === 0) return
  const file = keysFileOf(config.dataDir)
  const head = `# The first keys, created ${new Date(clock.now()).toISOString()}. Each has every permission.
# Store them in a password manager, then delete this file: the database has only their hashes.
`
  // The file may have keys of an earlier database in this folder that were not copied yet.
  await appendFile(file, [head, ...createdSides.map(linesOf)].join('\n'), { mode: 0o600 })
  await chmod(file, 0o600)
}

function linesOf({ slug, livemode, id, api_key, security_key, app_public_id }: StoreSide): string {
  const rows = [
    ['store id', id],
    ['API key', api_key],
    ['security key', security_key],
    ['app', app_public_id],
  ]
  const lines = rows.flatMap(([name, value]) => (value ? `${name?.padEnd(13)} ${value}` : []))
  return [`${slug}, ${livemode ? 'live' : 'test'} side`, ...lines, ''].join('\n')
}
