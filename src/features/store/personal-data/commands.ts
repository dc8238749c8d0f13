import { storeContextOf } from '../../../app.ts'
import { CommandError, command, needed } from '../../../command.ts'
import { inTransaction } from '../../../db/database.ts'
import { asStore, storeNamed } from '../../installation/index.ts'
import { eraseCustomer } from './erase-customer.ts'
import { selectCustomerId } from './queries/erase.ts'

export const customerCommands = [
  command({
    name: 'customers erase',
    summary: 'Remove a person from a store; orders, totals, stock and licenses stay.',
    options: [
      { flags: '--store <hash>', description: 'the id of the store', required: true },
      { flags: '--email <email>', description: "the customer's address", required: true },
    ],
    async run(app, input) {
      const row = await storeNamed(app, input)
      const email = needed(input, 'email').trim().toLowerCase()
      const id = await selectCustomerId(app.db, row.id, email)
      if (id === undefined) {
        throw new CommandError(
          `--email: ${row.hash} has no customer ${email}. Check the spelling; someone who was erased before is not found again.`,
        )
      }
      return inTransaction(app.db, async (tx) => {
        const context = storeContextOf(app, asStore(row), tx)
        const erased = await eraseCustomer(context, id)
        const act = { action: 'customer.erase', object: 'customer', object_id: String(id) }
        await context.audit.record(tx, [{ ...act, changes: {} }])
        return erased
      })
    },
    print: ({ id, erased_at }) => `Customer ${id} was erased at ${erased_at}.`,
  }),
]
