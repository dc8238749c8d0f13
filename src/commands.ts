import { type Command, command } from './command.ts'
import { migrate } from './db/migrate.ts'
import { accountCommands } from './features/account/index.ts'
import { keyCommands } from './features/api-keys/index.ts'
import { clockCommands } from './features/clock/index.ts'
import { customerCommands } from './features/customers/index.ts'
import { doctorCommands } from './features/doctor/index.ts'
import { secretsCommands } from './features/secrets/index.ts'
import { storeCommands } from './features/stores/index.ts'
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
