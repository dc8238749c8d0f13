import { type Command, command } from './command.ts'
import { keyCommands } from './features/installation/api-keys/commands.ts'
import { backupCommands } from './features/installation/backup/commands.ts'
import { fileCommands } from './features/installation/blobs/commands.ts'
import { clockCommands } from './features/installation/clock/commands.ts'
import { doctorCommands } from './features/installation/doctor/commands.ts'
import { logCommands } from './features/installation/request-log/commands.ts'
import { secretsCommands } from './features/installation/secrets/commands.ts'
import { storeCommands } from './features/installation/stores/commands.ts'
import { userCommands } from './features/installation/users/commands.ts'
import { accountCommands } from './features/store/account/commands.ts'
import { paymentCommands } from './features/store/payments/commands.ts'
import { customerCommands } from './features/store/personal-data/commands.ts'
import { walletCommands } from './features/store/wallet/commands.ts'
import { webhookCommands } from './features/webhooks/commands.ts'
import { demoCommands } from './process/demo/commands.ts'

/** Migrates the database. A running server has migrated already, so there it reports an up-to-date schema. */
export const migrateCommand = command({
  name: 'migrate',
  summary: 'Bring the schema of the database up to date.',
  examples: ['tradepost migrate', 'tradepost migrate --dry-run'],
  options: [{ flags: '--dry-run', description: 'only print the migrations to apply' }],
  run: async ({ db }, { dryRun }) =>
    (await import('./db/migrate.ts')).migrate(db, { dryRun: dryRun === true }),
  print: ({ from, to, applied }) =>
    applied.length === 0
      ? `The schema is up to date (${to}).`
      : [`From ${from} to ${to} migrations:`, ...applied.map((name) => `  ${name}`)].join('\n'),
})

/** The commands that need an open database. They run in the server's process if it holds the database. */
export const adminCommands: readonly Command[] = [
  ...accountCommands,
  ...storeCommands,
  ...keyCommands,
  ...userCommands,
  ...logCommands,
  ...clockCommands,
  ...customerCommands,
  ...paymentCommands,
  ...walletCommands,
  ...secretsCommands,
  ...webhookCommands,
  ...backupCommands,
  ...fileCommands,
  ...doctorCommands,
  ...demoCommands,
]
