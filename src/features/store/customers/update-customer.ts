import { inTransaction, type Tx } from '../../../db/database.ts'
import { sameEmail } from '../../../kernel/email.ts'
import { invalidState, Refusal, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { checkNotErased } from './customers.rules.ts'
import * as q from './queries/index.ts'
import type { Customer, CustomerPatch } from './schema.ts'

export function updateCustomer(
  context: StoreContext,
  id: number,
  patch: CustomerPatch,
): Promise<Customer> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const storedPatch = await withStoredEmail(tx, context, id, patch)
    const before = await lockCustomer(tx, context, id)
    checkNotErased(before)
    context.audit.reportChange(before, storedPatch)
    const { email = before.email, name = before.name } = storedPatch
    if (email !== before.email) await changeEmail(tx, context, before, email)
    await q.updateCustomer(tx, store.id, id, { ...storedPatch, now })
    if (name !== before.name || email !== before.email)
      await q.indexCustomer(tx, store.id, { id, email, name })
    return requireRecord(await q.selectCustomer(tx, store, id), 'Customer')
  })
}

/** Returns the patch with its address in the form of the store, which is locked before the customer (decision 448). */
async function withStoredEmail(
  tx: Tx,
  { store }: Pick<StoreContext, 'store'>,
  id: number,
  patch: CustomerPatch,
): Promise<CustomerPatch> {
  if (patch.email === undefined) return patch
  const source = { table: 'customer', exceptId: id } as const
  return { ...patch, email: await q.storedEmail(tx, store.id, patch.email, source) }
}

/** Changes the address of a customer. Refuses one that another customer has (decision 183). */
async function changeEmail(
  tx: Tx,
  { store }: Pick<StoreContext, 'store'>,
  { id, blocked, email: formerEmail }: Customer,
  email: string,
): Promise<void> {
  // The block of an address holds for all its forms.
  if (blocked && !sameEmail(email, formerEmail)) {
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
