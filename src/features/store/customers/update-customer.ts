import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
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
    await q.updateCustomer(tx, store.id, id, { ...patch, now })
    if (patch.name !== undefined) await q.indexCustomer(tx, store.id, id)
    return requireRecord(await q.selectCustomer(tx, store, id), 'Customer')
  })
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
