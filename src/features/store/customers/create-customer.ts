import { inTransaction } from '../../../db/database.ts'
import { alreadyTaken } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { asNewCustomer } from './events.ts'
import { insertCustomer } from './queries/customers.ts'
import type { Customer, NewCustomer } from './schema.ts'

const TAKEN =
  'A customer of this store has this address already. Find it with GET /customers?email= and change it with PATCH.'

/** Creates a customer before a first order does. */
export function createCustomer(context: StoreContext, body: NewCustomer): Promise<Customer> {
  const { db, store, now } = context
  return inTransaction(db, async (tx) => {
    const customer = await insertCustomer(tx, store, { ...body, now })
    if (!customer) throw alreadyTaken('email', TAKEN)
    await context.emit(tx, [asNewCustomer(customer)])
    return customer
  })
}
