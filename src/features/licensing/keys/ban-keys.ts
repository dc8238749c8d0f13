import type { Tx } from '../../../db/database.ts'
import { checkInFuture } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type KeyActor, NOBODY } from '../../installation/index.ts'
import { deleteBansOfKeys, endSessions, upsertBansOfKeys } from '../devices/index.ts'
import type { NewBan } from './action-schema.ts'
import { changeKeys, type KeyWork } from './change-keys.ts'
import { isBanned } from './license.rules.ts'
import * as q from './queries/index.ts'

/** Bans keys and ends their sessions. A key that is already banned keeps its `banned_at`. */
export const banKeys =
  ({ store, now }: StoreContext, actor: KeyActor, body: NewBan): KeyWork =>
  async (tx, keys) => {
    const ids = keys.map((key) => key.id)
    const { reason, public_reason, expires_at, ban_devices } = body
    checkInFuture(expires_at, now)
    const ban = {
      ban_reason: reason,
      public_ban_reason: public_reason,
      ban_expires_at: expires_at,
      banned_by: actor.key_id,
      // A hold that ends later does not lift this ban.
      ban_before_hold: null,
      updated_at: now,
    }
    const newlyBannedIds = keys.filter((key) => !isBanned(key, now)).map((key) => key.id)
    await q.updateKeys(tx, store.id, ids, ban)
    await q.updateKeys(tx, store.id, newlyBannedIds, { banned_at: now, updated_at: now })
    const endedCount = await endSessions(tx, store.id, { keyIds: ids, now, reason: 'banned' })
    const hasChangedBans =
      ban_devices &&
      (await upsertBansOfKeys(tx, store.id, { keyIds: ids, reason, expires_at, now }))
    return endedCount > 0 || hasChangedBans
  }

/**
 * Lifts the bans of keys (specification, "States and transitions"). The terms of the keys stay unchanged.
 * Device bans that a ban of these keys created are lifted too; other device bans remain.
 */
export const unbanKeys =
  ({ store, now }: StoreContext): KeyWork =>
  async (tx, keys) => {
    const ids = keys.filter((key) => key.banned_at !== null).map((key) => key.id)
    if (ids.length === 0) return false
    await q.updateKeys(tx, store.id, ids, {
      ban_reason: null,
      public_ban_reason: null,
      banned_at: null,
      ban_expires_at: null,
      banned_by: null,
      ban_before_hold: null,
      updated_at: now,
    })
    await deleteBansOfKeys(tx, store.id, ids)
    // `true` is not needed for the deleted device bans: every key has changed itself, so its audit event is recorded.
    return false
  }

/** Bans a key because a report rule of its app requires it. No actor is recorded. */
export function banByReport(
  tx: Tx,
  context: StoreContext,
  id: number,
  reason: string,
): Promise<unknown> {
  const ban = { reason, public_reason: null, expires_at: null, ban_devices: false }
  const change = { ids: [id], action: 'license_key.ban' }
  return changeKeys({ ...context, db: tx }, NOBODY, change, banKeys(context, NOBODY, ban))
}
