import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import { endSessions } from '../devices/index.ts'
import { changeKey, type KeyWork } from './change-keys.ts'
import * as q from './queries/index.ts'
import type { LicenseKeyPatch, ListedLicenseKey } from './schema.ts'
import { getListedKey, toListedKey } from './show-keys.ts'

/**
 * Updates locked keys. If `max_devices` is below the number of registered devices, those stay registered, and no
 * further ones can register. Suspending a key ends its sessions.
 */
export const patchKeys =
  ({ store, now }: StoreContext, { suspended, ...body }: LicenseKeyPatch): KeyWork =>
  async (tx, keys) => {
    let endedCount = 0
    for (const key of keys) {
      await q.updateKeys(tx, store.id, [key.id], {
        ...body,
        ...suspensionOf(key, { suspended, suspend_reason: body.suspend_reason }, now),
        updated_at: now,
      })
      if (suspended) {
        endedCount += await endSessions(tx, store.id, {
          keyIds: [key.id],
          now,
          reason: 'suspended',
        })
      }
    }
    return endedCount > 0
  }

/** Updates one key, and returns it without its text, because `client_security:write` does not include reading. */
export async function updateKey(
  context: StoreContext,
  actor: KeyActor,
  id: number,
  body: LicenseKeyPatch,
): Promise<ListedLicenseKey> {
  if (isEmptyChange(body)) return getListedKey(context, id)
  const change = { id, action: 'license_key.update' }
  return toListedKey(context, await changeKey(context, actor, change, patchKeys(context, body)))
}

/** Returns the changed suspension fields. Only a suspended key may have a reason. */
function suspensionOf(
  { suspended_at }: q.KeyRow,
  { suspended, suspend_reason }: Pick<LicenseKeyPatch, 'suspended' | 'suspend_reason'>,
  now: string,
) {
  const isSuspended = suspended ?? suspended_at !== null
  if (suspend_reason && !isSuspended) {
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
