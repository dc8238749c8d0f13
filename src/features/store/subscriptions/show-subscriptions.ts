import type { Db } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { AutoRenewal, AutoRenewalQuery, Subscription, SubscriptionQuery } from './schema.ts'

export async function readSubscription(
  { store }: StoreContext,
  db: Db,
  id: number,
): Promise<Subscription> {
  return requireRecord(await q.selectSubscription(db, store.id, id), 'Subscription')
}

/** Returns a page of subscriptions without their payments. */
export async function listSubscriptions({ db, store }: StoreContext, query: SubscriptionQuery) {
  const { records, total } = await q.selectSubscriptions(db, store.id, query)
  return { subscriptions: records, pagination: pagination(query, total) }
}

export async function readAutoRenewal(
  { store }: StoreContext,
  db: Db,
  id: number,
): Promise<AutoRenewal> {
  return requireRecord(await q.selectAutoRenewal(db, store.id, id), 'Auto-renewal')
}

/** Returns a page of auto-renewals, those of the newest subscriptions first. */
export async function listAutoRenewals({ db, store }: StoreContext, query: AutoRenewalQuery) {
  const { records, total } = await q.selectAutoRenewals(db, store.id, query)
  const auto_renewals = records.map((record) => record.auto_renewal)
  return { auto_renewals, pagination: pagination(query, total) }
}
