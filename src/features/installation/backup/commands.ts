import { CommandError, command, type Input, requiredArgument, SILENT } from '../../../command.ts'
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
      return backUp(app, requiredArgument(input, 'file'), output)
    },
    print: ({ file, bytes, sha256 }) =>
      `${file}\n${bytes} bytes, SHA-256 ${sha256}\nThe secrets key is not in the backup. Keep a copy of it in another place.`,
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
      return restore(app, requiredArgument(input, 'file'))
    },
    print: ({ from, stores }) =>
      `Restored ${from}. Stores: ${stores}. Check the data: npx tradepost doctor`,
  }),
]

/** Runs before the start of a new database, which would create a key that cannot open the backup. */
async function refuseWithoutKeys({ secretsKeys, dataDir }: Config, input: Input): Promise<void> {
  const { checkBackup } = await import('./backup-file.ts')
  const file = requiredArgument(input, 'file')
  const { keys } = await checkBackup(file)
  const availableKeys = secretsKeys.length > 0 ? secretsKeys : ((await readKeyFile(dataDir)) ?? [])
  const missingKid = keys.find((kid) => !availableKeys.map(kidOf).includes(kid))
  if (missingKid === undefined) return
  throw new CommandError(
    `${file} contains values sealed with the secrets key ${missingKid}, which is not here.\n` +
      `Put its secrets.key into ${dataDir}, with mode 0600, or set TRADEPOST_SECRETS_KEY.`,
  )
}
