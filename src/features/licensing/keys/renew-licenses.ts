import type { Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { NOBODY } from '../../installation/index.ts'
import { recordKeyChanges } from './change-keys.ts'
import { renewedEnd } from './license.rules.ts'
import * as q from './queries/index.ts'

interface Renewal {
  /** The item of the first order, which created the keys. */
  order_item_id: number
  subscription_id: number
  /** The end of the previous period; null at the start of the subscription. */
  from: string | null
  /** The end of the paid period. */
  until: string
}

/** Extends the keys of subscriptions when a period is paid. */
export async function renewLicenses(
  tx: Tx,
  context: StoreContext,
  renewals: readonly Renewal[],
): Promise<void> {
  if (renewals.length === 0) return
  const { store, now } = context
  const renewalsByItem = new Map(renewals.map((renewal) => [renewal.order_item_id, renewal]))
  const keys = await q.lockKeysOfItems(tx, store.id, [...renewalsByItem.keys()])
  if (keys.length === 0) return
  const renewedKeys = keys.map(({ id, order_item_id, expires_at }) => {
    const renewal = requireRecord(renewalsByItem.get(order_item_id), 'Renewal')
    const { subscription_id } = renewal
    return { id, subscription_id, expires_at: renewedEnd(expires_at, renewal) }
  })
  const after = await q.updateRenewedKeys(tx, store.id, { renewedKeys, now })
  const before = keys.map(({ order_item_id, ...key }) => key)
  await recordKeyChanges(tx, context, NOBODY, { action: 'license_key.extend', before, after })
}
