import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { endSessions } from '../devices/index.ts'
import type { Work } from './change-keys.ts'
import { type KeyRow, updateKeys } from './queries/keys.ts'
import type { KeyPatch } from './schema.ts'

/** Changes a key. Fewer devices than it has keep working, and new ones are refused; suspending ends sessions. */
export const updateKey =
  ({ store, now }: StoreContext, { suspended, ...sent }: KeyPatch): Work =>
  async (tx, keys) => {
    for (const key of keys) {
      await updateKeys(tx, store.id, [key.id], {
        ...sent,
        ...rest(key, { suspended, suspend_reason: sent.suspend_reason }, now),
        updated_at: now,
      })
      const ending = { keyIds: [key.id], now, reason: 'suspended' }
      if (suspended) await endSessions(tx, store.id, ending)
    }
  }

/** Since when a key rests then, if that changes. Only one that does has a reason. */
function rest(
  { suspended_at }: KeyRow,
  { suspended, suspend_reason }: Pick<KeyPatch, 'suspended' | 'suspend_reason'>,
  now: string,
) {
  if (suspend_reason && !(suspended ?? suspended_at !== null)) {
    throw invalid('suspend_reason', 'Leave it out: the key is not suspended.')
  }
  if (suspended === undefined) return {}
  return suspended
    ? { suspended_at: suspended_at ?? now }
    : { suspended_at: null, suspend_reason: null }
}
