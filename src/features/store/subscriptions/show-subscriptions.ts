import type { Db } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/records.ts'
import type {
  AutoRenewal,
  AutoRenewalQuery,
  ListedSubscription,
  Subscription,
  SubscriptionQuery,
} from './schema.ts'

export async function readSubscription(
  { store }: StoreContext,
  db: Db,
  id: number,
): Promise<Subscription> {
  return found(await q.selectSubscription(db, store.id, id), 'Subscription')
}

/** A page of subscriptions without their payments, the newest first. */
export async function listSubscriptions(
  { db, store }: StoreContext,
  query: SubscriptionQuery,
): Promise<{ subscriptions: ListedSubscription[]; pagination: Pagination }> {
  const { subscriptions, total } = await q.selectSubscriptions(db, store.id, query)
  return { subscriptions, pagination: pagination(query, total) }
}

export async function readAutoRenewal(
  { store }: StoreContext,
  db: Db,
  id: number,
): Promise<AutoRenewal> {
  return found(await q.selectAutoRenewal(db, store.id, id), 'Auto renewal')
}

/** A page of auto-renewals, those of the newest subscriptions first. */
export async function listAutoRenewals(
  { db, store }: StoreContext,
  query: AutoRenewalQuery,
): Promise<{ auto_renewals: AutoRenewal[]; pagination: Pagination }> {
  const { auto_renewals, total } = await q.selectAutoRenewals(db, store.id, query)
  return { auto_renewals, pagination: pagination(query, total) }
}
