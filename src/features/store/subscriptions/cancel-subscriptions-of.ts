import { changesOf } from '../../../audit/changes.rules.ts'
import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { cancelOrder } from '../orders/index.ts'
import * as q from './queries/index.ts'
import { endChange } from './state.rules.ts'

/**
 * Cancels all subscriptions of a customer now, and their unpaid renewals. A subscription whose first order is unpaid
 * does not start if the order is still paid. The caller has locked the orders of the customer. Returns the number of
 * subscriptions (decision 177).
 */
export async function cancelSubscriptionsOf(
  tx: Tx,
  context: StoreContext,
  customerId: number,
): Promise<number> {
  const { store, now, audit } = context
  // The changes of the orders are not those of the call.
  const txContext = { ...context, db: tx, audit: { ...audit, reportChange() {} } }
  const subscriptions = await q.lockLiveSubscriptionsOf(tx, store.id, customerId)
  for (const row of subscriptions) {
    // The effects of the cancelled order cancel the subscription.
    if (row.open_invoice_id) await cancelOrder(txContext, row.open_invoice_id, null)
    else
      await q.updateSubscription(tx, store.id, row.id, { ...endChange('cancelled', row, now), now })
  }
  const action = 'subscription.cancel'
  const events = subscriptions.map(({ id, status }) => ({
    ...{ action, object: 'subscription', object_id: String(id) },
    changes: changesOf({ status }, { status: 'cancelled' }),
  }))
  await audit.record(tx, events)
  return subscriptions.length
}
