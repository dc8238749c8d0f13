import { CommandError, command, type Input, needed, SILENT } from '../../../command.ts'
import type { Config } from '../../../config/config.ts'
import { readKeyFile } from '../../../config/key-file.ts'
import { kidOf } from '../../../kernel/vault.ts'

export const backupCommands = [
  command({
    name: 'backup',
    summary:
      'Write the database and the uploaded files into one new file, also while the server runs.',
    examples: ['tradepost backup shop.backup'],
    args: ['<file>'],
    async run(app, input, output = SILENT) {
      const { backUp } = await import('./backup.ts')
      return backUp(app, needed(input, 'file'), output)
    },
    print: ({ file, bytes, sha256 }) =>
      `${file}\n${bytes} bytes, SHA-256 ${sha256}\nThe secrets key is not in it: keep it in another place.`,
  }),

  command({
    name: 'restore',
    summary: 'Fill an empty database from a file of `backup`, while no server runs.',
    examples: ['tradepost restore shop.backup --data-dir ./new-data'],
    args: ['<file>'],
    restores: true,
    makesDatabase: true,
    before: refuseWithoutKeys,
    async run(app, input) {
      const { restore } = await import('./restore.ts')
      return restore(app, needed(input, 'file'))
    },
    print: ({ from, stores }) => `${stores} stores from ${from}. Check them: tradepost doctor`,
  }),
]

/** Checked first: the start of a new database would make a key that cannot open the backup. */
async function refuseWithoutKeys({ secretsKeys, dataDir }: Config, input: Input): Promise<void> {
  const { checkBackup } = await import('./backup-file.ts')
  const file = needed(input, 'file')
  const { keys } = await checkBackup(file)
  const own = secretsKeys.length > 0 ? secretsKeys : ((await readKeyFile(dataDir)) ?? [])
  const missing = keys.find((kid) => !own.map(kidOf).includes(kid))
  if (missing === undefined) return
  throw new CommandError(
    `${file} holds values sealed with the secrets key ${missing}, which is not here.\n` +
      `Put its secrets.key into ${dataDir}, with mode 0600, or set TRADEPOST_SECRETS_KEY.`,
  )
}
