import { CommandError, command, requiredText } from '../../../command.ts'

export const customerCommands = [
  command({
    name: 'customers erase',
    summary:
      'Erase the personal data of a customer, and cancel the subscriptions. Orders, totals, stock and licenses are not deleted.',
    examples: ['tradepost customers erase --store HASH --email buyer@example.com'],
    options: [
      { flags: '--store <hash>', description: 'the id of the store', required: true },
      {
        flags: '--email <email>',
        description: 'the email address of the customer',
        required: true,
      },
    ],
    async run(app, input) {
      const { findNamedStore } = await import('../../installation/index.ts')
      const { eraseByCommand } = await import('./erase-by-command.ts')
      const { selectCustomerId } = await import('./queries/erase.ts')
      const row = await findNamedStore(app, input)
      const email = requiredText(input, 'email').trim().toLowerCase()
      const id = await selectCustomerId(app.db, row.id, email)
      if (id === undefined) {
        throw new CommandError(
          `--email: ${row.hash} has no customer ${email}. Check the spelling. An erased customer no longer has its former address.`,
        )
      }
      return eraseByCommand(app, row, id)
    },
    print: ({ id, erased_at, cancelled_subscriptions }) =>
      `Customer ${id} was erased at ${erased_at}. Cancelled subscriptions: ${cancelled_subscriptions}.`,
  }),
]
