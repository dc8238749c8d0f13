import { CommandError, command, needed } from '../../../command.ts'

export const customerCommands = [
  command({
    name: 'customers erase',
    summary: 'Remove a person from a store; orders, totals, stock and licenses stay.',
    examples: ['tradepost customers erase --store HASH --email buyer@example.com'],
    options: [
      { flags: '--store <hash>', description: 'the id of the store', required: true },
      { flags: '--email <email>', description: "the customer's address", required: true },
    ],
    async run(app, input) {
      const { storeNamed } = await import('../../installation/index.ts')
      const { eraseByCommand } = await import('./erase-by-command.ts')
      const { selectCustomerId } = await import('./queries/erase.ts')
      const row = await storeNamed(app, input)
      const email = needed(input, 'email').trim().toLowerCase()
      const id = await selectCustomerId(app.db, row.id, email)
      if (id === undefined) {
        throw new CommandError(
          `--email: ${row.hash} has no customer ${email}. Check the spelling; someone who was erased before is not found again.`,
        )
      }
      return eraseByCommand(app, row, id)
    },
    print: ({ id, erased_at }) => `Customer ${id} was erased at ${erased_at}.`,
  }),
]
