import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { NOBODY } from '../../installation/index.ts'
import { banKeys, unbanKeys } from './ban-keys.ts'
import { changeKeys } from './change-keys.ts'
import { isBanned } from './license.rules.ts'
import { lockKeysOfOrder } from './queries/keys.ts'

interface Hold {
  reason: string
  since: string
}

/** Bans the license keys of an order on hold. Keys that are banned already keep their ban (decision 158). */
export async function banForHold(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  { reason }: Hold,
): Promise<void> {
  const keys = await lockKeysOfOrder(tx, context.store.id, orderId)
  const ids = keys.filter((key) => !isBanned(key, context.now)).map((key) => key.id)
  if (ids.length === 0) return
  const ban = { reason, public_reason: null, expires_at: null, ban_devices: false }
  const change = { ids, action: 'license_key.ban' }
  await changeKeys({ ...context, db: tx }, NOBODY, change, banKeys(context, NOBODY, ban))
}

/** Lifts the bans of a hold. Its keys have its reason and its time. */
export async function unbanAfterHold(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  { reason, since }: Hold,
): Promise<void> {
  const keys = await lockKeysOfOrder(tx, context.store.id, orderId)
  const ids = keys
    .filter((key) => key.ban_reason === reason && key.banned_at === since)
    .map((key) => key.id)
  if (ids.length === 0) return
  const change = { ids, action: 'license_key.unban' }
  await changeKeys({ ...context, db: tx }, NOBODY, change, unbanKeys(context))
}
