import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalidState, Refusal, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { checkNotErased } from './customers.rules.ts'
import * as q from './queries/customers.ts'
import type { Customer, CustomerPatch } from './schema.ts'

export function updateCustomer(
  context: StoreContext,
  id: number,
  patch: CustomerPatch,
): Promise<Customer> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = await lockCustomer(tx, context, id)
    checkNotErased(before)
    context.audit.reportChange(before, patch)
    const { email = before.email, name = before.name } = patch
    if (email !== before.email) await changeEmail(tx, context, before, email)
    await q.updateCustomer(tx, store.id, id, { ...patch, now })
    if (name !== before.name || email !== before.email)
      await q.indexCustomer(tx, store.id, { id, email, name })
    return requireRecord(await q.selectCustomer(tx, store, id), 'Customer')
  })
}

/** Changes the address of a customer. Refuses one that another customer has (decision 183). */
async function changeEmail(
  tx: Tx,
  { store }: Pick<StoreContext, 'store'>,
  { id, blocked }: Customer,
  email: string,
): Promise<void> {
  if (blocked) {
    const message =
      'The address of this customer is on the blocklist. Unblock the customer, then change it.'
    throw invalidState('blocked', message)
  }
  if (await q.updateEmail(tx, store.id, id, email)) return
  const customer_id = await q.selectIdByEmail(tx, store.id, email)
  const message = `Customer ${customer_id} has this address. Merge the two customers with POST /customers/${id}/merge.`
  throw new Refusal('INVALID_STATE', message, { status: 'taken', customer_id })
}

/** Locks a customer, so that concurrent changes run one after the other. */
export async function lockCustomer(
  tx: Tx,
  { store }: Pick<StoreContext, 'store'>,
  id: number,
): Promise<Customer> {
  const [customer] = await q.lockCustomers(tx, store, [id])
  return requireRecord(customer, 'Customer')
}
