import type { Shop } from '../../shop.ts'
import { endSessions } from '../devices/index.ts'
import type { Work } from './change-keys.ts'
import { updateKeys } from './queries/keys.ts'
import type { KeyPatch } from './schema.ts'

/** Changes a key. Fewer devices than it has keep working, and new ones are refused; suspending ends sessions. */
export const updateKey =
  ({ store, now }: Shop, { suspended, ...sent }: KeyPatch): Work =>
  async (tx, keys) => {
    for (const { id, suspended_at } of keys) {
      const rests = suspended ?? suspended_at !== null
      await updateKeys(tx, store.id, [id], {
        ...sent,
        ...(suspended !== undefined && { suspended_at: rests ? (suspended_at ?? now) : null }),
        ...(suspended === false && { suspend_reason: null }),
        updated_at: now,
      })
      if (suspended) await endSessions(tx, store.id, { keyIds: [id], now, reason: 'suspended' })
    }
  }
