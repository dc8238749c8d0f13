import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { renewLicenses } from '../../licensing/index.ts'
import * as q from './queries/index.ts'
import { postponeChange } from './state.rules.ts'

/**
 * Moves the next billing date of a locked subscription to a later time. The current period, its payment and the license
 * keys end then (decision 176). Returns the changed subscription.
 */
export async function moveBillingDate(
  tx: Tx,
  context: StoreContext,
  row: q.SubscriptionRow,
  date: string,
): Promise<q.SubscriptionRow> {
  const { store, now } = context
  const change = postponeChange(row, date, now)
  await q.updateSubscription(tx, store.id, row.id, { ...change, now })
  await q.movePeriodEnd(tx, store.id, row, date)
  const { order_item_id, id: subscription_id, current_period_end: from } = row
  await renewLicenses(tx, context, [{ order_item_id, subscription_id, from, until: date }])
  return { ...row, ...change }
}
