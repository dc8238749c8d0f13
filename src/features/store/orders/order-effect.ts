import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { NewRefund, Refund } from './payment-schema.ts'
import type { StoredOrder } from './schema.ts'

/**
 * What another feature does when an order changes, in the transaction of the change and after the order's
 * own rows are written. It returns the events to record after those of the order. An order that does not
 * concern the feature must cost it no SQL statement.
 */
export type OrderEffect<Detail> = (
  tx: Tx,
  context: StoreContext,
  order: StoredOrder,
  detail: Detail,
) => Promise<readonly NewEvent[]>

export interface Refunded {
  refund: Refund
  request: NewRefund
  /** Whether this refund leaves nothing of the payment, and so takes the deliveries back. */
  full: boolean
}
