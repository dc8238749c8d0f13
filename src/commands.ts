import { type Command, command } from './command.ts'
import { migrate } from './db/migrate.ts'
import { clockCommands } from './features/installation/clock/index.ts'
import {
  doctorCommands,
  keyCommands,
  secretsCommands,
  storeCommands,
} from './features/installation/index.ts'
import { accountCommands, customerCommands } from './features/store/index.ts'
import { webhookCommands } from './features/webhooks/index.ts'

/** A running server has migrated already: it says so. Where none runs, the command line does it. */
export const migrateCommand = command({
  name: 'migrate',
  summary: 'Bring the schema of the database up to date.',
  run: ({ db }, { dryRun }) => migrate(db, { dryRun: dryRun === true }),
  print: ({ from, to, applied }) =>
    applied.length === 0
      ? `The schema is up to date (${to}).`
      : `From ${from} to ${to}: ${applied.join(', ')}`,
})

/** Commands that work on an open shop: in the server's process where it holds the database. */
export const adminCommands: readonly Command[] = [
  ...accountCommands,
  ...storeCommands,
  ...keyCommands,
  ...clockCommands,
  ...customerCommands,
  ...secretsCommands,
  ...webhookCommands,
  ...doctorCommands,
]
