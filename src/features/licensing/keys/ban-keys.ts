import type { Tx } from '../../../db/database.ts'
import { checkStillToCome } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, NOBODY } from '../../installation/index.ts'
import { deleteBansOfKeys, endSessions, upsertBansOfKeys } from '../devices/index.ts'
import type { NewBan } from './action-schema.ts'
import { changeKeys, type Work } from './change-keys.ts'
import { isBanned } from './license.rules.ts'
import { updateKeys } from './queries/keys.ts'

/** Bans keys and ends their sessions in the same moment. A key that is banned keeps its first moment. */
export const banKeys =
  ({ store, now }: StoreContext, actor: Actor, sent: NewBan): Work =>
  async (tx, keys) => {
    const ids = keys.map((key) => key.id)
    const { reason, public_reason, expires_at, ban_devices } = sent
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
 * Makes banned keys valid again (specification, "States and transitions"). Their terms stay as they
 * are, and only the bans of machines that their own bans made are lifted.
 */
export const unbanKeys =
  ({ store, now }: StoreContext): Work =>
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

/** Bans one key because a rule of its app says so, in the name of nobody. */
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
