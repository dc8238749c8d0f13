import type { Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { deleteDevices } from '../devices/index.ts'
import type { Reset } from './action-schema.ts'
import type { KeyWork } from './change-keys.ts'
import { checkDeviceChange, checkReset, deviceChangeWindowStart } from './license.rules.ts'
import * as q from './queries/index.ts'
import { DEVICE_CHANGES_MAX } from './schema.ts'

/** Frees all devices of keys and ends their sessions. `force` ignores the cooldown and the limit. */
export const resetDevices =
  ({ store, now }: StoreContext, { force }: Reset): KeyWork =>
  async (tx, keys) => {
    if (!force) for (const key of keys) checkReset(key, now)
    const keyIds = keys.map((key) => key.id)
    await deleteDevices(tx, store.id, { keyIds, now })
    await q.countResets(tx, store.id, keyIds, now)
    return true
  }

/** Locks a key for a change of its devices. */
export async function lockKey(tx: Tx, { store }: StoreContext, keyId: number): Promise<q.KeyRow> {
  const [key] = await q.lockKeys(tx, store.id, [keyId])
  return requireRecord(key, 'Key')
}

/** Counts a device reset of the key, or refuses it. */
export async function countReset(
  tx: Tx,
  { store, now }: StoreContext,
  key: q.KeyRow,
): Promise<void> {
  checkReset(key, now)
  await q.countResets(tx, store.id, [key.id], now)
}

/** Counts a device change by the license holder, or refuses it (decision 119). */
export async function countDeviceChange(
  tx: Tx,
  { store, now }: StoreContext,
  { id, max_device_changes }: q.KeyRow,
): Promise<void> {
  const after = deviceChangeWindowStart(now)
  if (max_device_changes !== null) {
    const changes = await q.selectDeviceChanges(tx, store.id, id, after)
    checkDeviceChange(max_device_changes, changes, now)
  }
  await q.addDeviceChange(tx, store.id, id, { now, after, keep: DEVICE_CHANGES_MAX })
}
