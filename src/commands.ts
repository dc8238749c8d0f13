import { type Command, command } from './command.ts'
import { migrate } from './db/migrate.ts'
import {
  backupCommands,
  clockCommands,
  doctorCommands,
  keyCommands,
  secretsCommands,
  storeCommands,
  userCommands,
} from './features/installation/index.ts'
import { accountCommands, customerCommands } from './features/store/index.ts'
import { webhookCommands } from './features/webhooks/index.ts'
import { demoCommands } from './process/demo/commands.ts'

/**
 * In a running server, reports that the schema is up to date. Without one, the command line
 * migrates.
 */
export const migrateCommand = command({
  name: 'migrate',
  summary: 'Bring the schema of the database up to date.',
  run: ({ db }, { dryRun }) => migrate(db, { dryRun: dryRun === true }),
  print: ({ from, to, applied }) =>
    applied.length === 0
      ? `The schema is up to date (${to}).`
      : `From ${from} to ${to}: ${applied.join(', ')}`,
})

/**
 * Commands that need an open database; they run in the server's process if it holds the database.
 */
export const adminCommands: readonly Command[] = [
  ...accountCommands,
  ...storeCommands,
  ...keyCommands,
  ...userCommands,
  ...clockCommands,
  ...customerCommands,
  ...secretsCommands,
  ...webhookCommands,
  ...backupCommands,
  ...doctorCommands,
  ...demoCommands,
]
