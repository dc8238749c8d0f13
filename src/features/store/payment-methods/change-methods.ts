import { inTransaction, type Tx } from '../../../db/database.ts'
import { notFound, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { customerExists } from '../customers/index.ts'
import { connectedProvider, type SavedMethod } from '../payment-providers/index.ts'
import * as q from './queries/index.ts'
import type { PaymentMethod } from './schema.ts'

export async function listMethods(
  { db, store }: StoreContext,
  customerId: number,
): Promise<PaymentMethod[]> {
  if (!(await customerExists(db, store.id, customerId))) throw notFound('Customer')
  return q.selectMethods(db, store.id, customerId)
}

interface MethodOfCustomer {
  customerId: number
  id: number
}

/** Has the provider delete a saved method, before it is deleted here. One that is unknown there is deleted already. */
export async function deleteAtProvider(
  context: StoreContext,
  { customerId, id }: MethodOfCustomer,
): Promise<void> {
  const { db, store } = context
  const method = await inTransaction(db, (tx) => q.lockMethod(tx, store.id, customerId, id))
  const { provider, external_id } = requireRecord(method, 'Payment method')
  await connectedProvider(store, provider)?.deleteMethod?.(context, external_id)
}

export async function deleteMethod(
  { db, store }: StoreContext,
  { customerId, id }: MethodOfCustomer,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    requireRecord(await q.lockMethod(tx, store.id, customerId, id), 'Payment method')
    await q.deleteMethod(tx, store.id, id)
  })
}

/** Has the provider delete a method that it has saved and that nothing will be charged to. */
export const removeMethod = (
  tx: Tx,
  { store, now }: Pick<StoreContext, 'store' | 'now'>,
  { provider, method }: { provider: string; method: SavedMethod },
): Promise<void> => q.insertRemoval(tx, store.id, { ...method, provider, now })

/**
 * Saves a method that a buyer has used, as the one that renewals charge. That of a buyer who was erased meanwhile is deleted
 * at the provider.
 */
export async function saveMethod(
  tx: Tx,
  { store, now }: StoreContext,
  customer_id: number,
  { provider, method }: { provider: string; method: SavedMethod },
): Promise<void> {
  const isKept = await q.insertMethod(tx, store.id, { ...method, customer_id, provider, now })
  if (!isKept) await removeMethod(tx, { store, now }, { provider, method })
}
