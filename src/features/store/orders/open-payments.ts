import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { OPEN_STATUSES } from './payment-schema.ts'
import { requestEnd } from './queries/open-payments.ts'
import type { Order } from './schema.ts'

const isOpen = (status: string): boolean => OPEN_STATUSES.some((open) => open === status)

/**
 * Has the providers end the open payments of an order that ended, or of which less is owed now, so that its buyer does
 * not pay too much. It happens after the commit, because no provider is called within a transaction.
 */
export async function endOpenPayments(
  tx: Tx,
  { store, now }: StoreContext,
  { id, payments }: Pick<Order, 'id' | 'payments'>,
): Promise<void> {
  if (payments.some(({ status }) => isOpen(status))) await requestEnd(tx, store.id, id, now)
}
