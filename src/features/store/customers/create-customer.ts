import { inTransaction } from '../../../db/database.ts'
import { alreadyTaken } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { customerCreatedEvent } from './events.ts'
import * as q from './queries/index.ts'
import type { Customer, NewCustomer } from './schema.ts'

const EMAIL_EXISTS =
  'A customer of this store has this email already. Find the customer with GET /customers?email= and change it with PATCH.'

/** Creates a customer who has no order yet. */
export function createCustomer(context: StoreContext, body: NewCustomer): Promise<Customer> {
  const { db, store, now } = context
  return inTransaction(db, async (tx) => {
    const email = await q.storedEmail(tx, store.id, body.email, { table: 'customer' })
    const customer = await q.insertCustomer(tx, store, { ...body, email, now })
    if (!customer) throw alreadyTaken('email', EMAIL_EXISTS)
    await context.emit(tx, [customerCreatedEvent(customer)])
    return customer
  })
}
