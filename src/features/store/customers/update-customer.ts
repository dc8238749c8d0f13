import { inTransaction, type Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
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
    context.audit.changed(before, patch)
    await q.updateCustomer(tx, store.id, id, { ...patch, now })
    if (patch.name !== undefined) await q.indexCustomer(tx, store.id, id)
    return found(await q.selectCustomer(tx, store, id), 'Customer')
  })
}

/** Locks a customer, so that changes of it follow one another. */
export async function lockCustomer(
  tx: Tx,
  { store }: Pick<StoreContext, 'store'>,
  id: number,
): Promise<Customer> {
  const [customer] = await q.lockCustomers(tx, store, [id])
  return found(customer, 'Customer')
}
