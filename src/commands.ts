import type { Command } from './command.ts'
import { accountCommands } from './features/account/index.ts'
import { keyCommands } from './features/api-keys/index.ts'
import { clockCommands } from './features/clock/index.ts'
import { doctorCommands } from './features/doctor/index.ts'
import { secretsCommands } from './features/secrets/index.ts'
import { storeCommands } from './features/stores/index.ts'
import { webhookCommands } from './features/webhooks/index.ts'

/** Commands that work on an open shop: in the server's process where it holds the database. */
export const adminCommands: readonly Command[] = [
  ...accountCommands,
  ...storeCommands,
  ...keyCommands,
  ...clockCommands,
  ...secretsCommands,
  ...webhookCommands,
  ...doctorCommands,
]
