import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { endSessions } from '../devices/index.ts'
import type { KeyWork } from './change-keys.ts'
import { type KeyRow, updateKeys } from './queries/keys.ts'
import type { KeyPatch } from './schema.ts'

/**
 * Updates keys. A `max_devices` below the number of registered devices keeps them and refuses new ones.
 * Suspending a key ends its sessions.
 */
export const updateKey =
  ({ store, now }: StoreContext, { suspended, ...body }: KeyPatch): KeyWork =>
  async (tx, keys) => {
    for (const key of keys) {
      await updateKeys(tx, store.id, [key.id], {
        ...body,
        ...suspensionOf(key, { suspended, suspend_reason: body.suspend_reason }, now),
        updated_at: now,
      })
      const ending = { keyIds: [key.id], now, reason: 'suspended' }
      if (suspended) await endSessions(tx, store.id, ending)
    }
  }

/** The changed suspension fields. Only a suspended key may have a reason. */
function suspensionOf(
  { suspended_at }: KeyRow,
  { suspended, suspend_reason }: Pick<KeyPatch, 'suspended' | 'suspend_reason'>,
  now: string,
) {
  if (suspend_reason && !(suspended ?? suspended_at !== null)) {
    throw invalid(
      'suspend_reason',
      'The key is not suspended. Send suspended: true as well, or leave the reason out.',
    )
  }
  if (suspended === undefined) return {}
  return suspended
    ? { suspended_at: suspended_at ?? now }
    : { suspended_at: null, suspend_reason: null }
}
