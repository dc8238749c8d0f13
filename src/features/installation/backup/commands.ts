import { CommandError, command, type Input, needed, SILENT } from '../../../command.ts'
import type { Config } from '../../../config/config.ts'
import { readKeyFile } from '../../../config/key-file.ts'
import { kidOf } from '../../../kernel/vault.ts'
import { backUp } from './backup.ts'
import { checkBackup } from './backup-file.ts'
import { restore } from './restore.ts'

export const backupCommands = [
  command({
    name: 'backup',
    summary:
      'Write the database and the uploaded files into one new file, also while the server runs.',
    args: ['<file>'],
    run: (app, input, talk = SILENT) => backUp(app, needed(input, 'file'), talk),
    print: ({ file, bytes, sha256 }) =>
      `${file}\n${bytes} bytes, SHA-256 ${sha256}\nThe secrets key is not in it: keep it in another place.`,
  }),

  command({
    name: 'restore',
    summary: 'Fill an empty database from a file of `backup`, while no server runs.',
    args: ['<file>'],
    restores: true,
    makesDatabase: true,
    before: refuseWithoutKeys,
    run: (app, input) => restore(app, needed(input, 'file')),
    print: ({ from, stores }) => `${stores} stores from ${from}. Check them: tradepost doctor`,
  }),
]

/** Checked first: the start of a new database would make a key that cannot open the backup. */
async function refuseWithoutKeys({ secretsKeys, dataDir }: Config, input: Input): Promise<void> {
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
