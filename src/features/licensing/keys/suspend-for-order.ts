import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { NOBODY } from '../../installation/index.ts'
import { changeKeys } from './change-keys.ts'
import * as q from './queries/index.ts'
import { patchKeys } from './update-key.ts'

/** Suspends the keys of a fully refunded order. Returns the number of keys (decision 21). */
export async function suspendForOrder(
  tx: Tx,
  context: StoreContext,
  orderId: string,
): Promise<number> {
  const keys = await q.lockKeysOfOrder(tx, context.store.id, orderId)
  const ids = keys.map((key) => key.id)
  if (ids.length === 0) return 0
  const change = { ids, action: 'license_key.suspend' }
  const patch = { suspended: true, suspend_reason: `Refund of ${orderId}` }
  return changeKeys({ ...context, db: tx }, NOBODY, change, patchKeys(context, patch))
}
