import type { Tx } from '../../../db/database.ts'
import type { NewEvent } from '../../../events/ledger.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { NewRefund, Refund } from './payment-schema.ts'
import type { StoredOrder } from './schema.ts'

/**
 * The reaction of another feature to a changed order. It runs in the transaction of the change, after the
 * order's own rows are written, and returns the events to record after those of the order. An order that does not
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
  /** True if nothing of the payment is left, so that the deliveries are revoked. */
  full: boolean
}
