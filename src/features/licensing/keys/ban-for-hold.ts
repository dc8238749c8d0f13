import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { NOBODY } from '../../installation/index.ts'
import { banKeys } from './ban-keys.ts'
import { changeKeys } from './change-keys.ts'
import { isBanned } from './license.rules.ts'
import * as q from './queries/index.ts'

/**
 * Bans the license keys that an order on hold sold or renews. Keys that are banned for good keep their ban (decision
 * 158).
 */
export async function banForHold(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  { reason }: { reason: string },
): Promise<void> {
  const { store, now } = context
  const isBannedForGood = (key: q.KeyRow) => isBanned(key, now) && key.ban_expires_at === null
  const ids = await q.selectKeysOfHold(tx, store.id, orderId)
  if (ids.length === 0) return
  const keys = (await q.lockKeys(tx, store.id, ids)).filter((key) => !isBannedForGood(key))
  if (keys.length === 0) return
  const ban = { reason, public_reason: null, expires_at: null, ban_devices: false }
  const change = { ids: keys.map(({ id }) => id), action: 'license_key.ban' }
  await changeKeys({ ...context, db: tx }, NOBODY, change, banKeys(context, NOBODY, ban))
  await q.setBansBeforeHold(tx, store.id, keys)
}

/** Gives the license keys of an order the ban that they had before its hold. One that the seller has changed since stays. */
export async function unbanAfterHold(
  tx: Tx,
  context: StoreContext,
  orderId: string,
): Promise<void> {
  const { store, now } = context
  const ids = await q.lockHeldKeys(tx, store.id, orderId)
  if (ids.length === 0) return
  const change = { ids, action: 'license_key.unban' }
  await changeKeys({ ...context, db: tx }, NOBODY, change, async () => {
    await q.restoreBans(tx, store.id, { ids, now })
    return false
  })
}

/** Leaves the license keys of an order banned after its hold, until the seller lifts the bans. */
export const keepBans = (tx: Tx, { store }: StoreContext, orderId: string): Promise<void> =>
  q.deleteBansBeforeHold(tx, store.id, orderId)
