import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { NOBODY } from '../../installation/index.ts'
import { changeKeys } from './change-keys.ts'
import { renewedEnd } from './license.rules.ts'
import { lockKeysOfItem, updateRenewed } from './queries/keys.ts'

export interface Renewal {
  /** The line of the first order, which created the keys. */
  order_item_id: number
  subscription_id: number
  /** The end of the previous period; null at the start of the subscription. */
  from: string | null
  /** The end of the paid period. */
  until: string
}

/** Extends the keys of a subscription to the end of the paid period (decision 21). */
export async function renewLicenses(
  tx: Tx,
  context: StoreContext,
  { order_item_id, subscription_id, from, until }: Renewal,
): Promise<void> {
  const { store, now } = context
  const keys = await lockKeysOfItem(tx, store.id, order_item_id)
  const ids = keys.map((key) => key.id)
  if (ids.length === 0) return
  const change = { ids, action: 'license_key.extend' }
  await changeKeys({ ...context, db: tx }, NOBODY, change, async (_tx, rows) => {
    const ends = rows.map(({ id, expires_at }) => ({
      id,
      expires_at: renewedEnd(expires_at, { from, until }),
    }))
    await updateRenewed(tx, store.id, ends, { subscription_id, now })
  })
}
