import type { Tx } from '../../../db/database.ts'
import { checkStillToCome } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, NOBODY } from '../../installation/index.ts'
import { deleteBansOfKeys, endSessions, upsertBansOfKeys } from '../devices/index.ts'
import type { NewBan } from './action-schema.ts'
import { changeKeys, type KeyWork } from './change-keys.ts'
import { isBanned } from './license.rules.ts'
import { updateKeys } from './queries/keys.ts'

/** Bans keys and ends their sessions. A key that is already banned keeps its `banned_at`. */
export const banKeys =
  ({ store, now }: StoreContext, actor: Actor, body: NewBan): KeyWork =>
  async (tx, keys) => {
    const ids = keys.map((key) => key.id)
    const { reason, public_reason, expires_at, ban_devices } = body
    checkStillToCome(expires_at, now)
    const ban = {
      ban_reason: reason,
      public_ban_reason: public_reason,
      ban_expires_at: expires_at,
      banned_by: actor.key_id,
      updated_at: now,
    }
    const fresh = keys.filter((key) => !isBanned(key, now)).map((key) => key.id)
    await updateKeys(tx, store.id, ids, ban)
    await updateKeys(tx, store.id, fresh, { banned_at: now, updated_at: now })
    await endSessions(tx, store.id, { keyIds: ids, now, reason: 'banned' })
    if (ban_devices) await upsertBansOfKeys(tx, store.id, { keyIds: ids, reason, expires_at, now })
  }

/**
 * Lifts the bans of keys (specification, "States and transitions"). Their terms stay unchanged. Of the
 * device bans, only those that a ban of these keys created are lifted.
 */
export const unbanKeys =
  ({ store, now }: StoreContext): KeyWork =>
  async (tx, keys) => {
    const ids = keys.filter((key) => key.banned_at !== null).map((key) => key.id)
    if (ids.length === 0) return
    await updateKeys(tx, store.id, ids, {
      ban_reason: null,
      public_ban_reason: null,
      banned_at: null,
      ban_expires_at: null,
      banned_by: null,
      updated_at: now,
    })
    await deleteBansOfKeys(tx, store.id, ids)
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
