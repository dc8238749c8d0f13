import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'

type DeviceAction =
  | 'device.activate'
  | 'device.deactivate'
  | 'device.free'
  | 'device.ban'
  | 'device.issue_file'

/** Records a change that a client program made to a device of its license (decision 124). */
export const auditDevice = (
  tx: Tx,
  { audit }: StoreContext,
  action: DeviceAction,
  { key_id, device_id }: { key_id: number; device_id: number },
): Promise<void> => {
  const isRemoval = action === 'device.deactivate' || action === 'device.free'
  const change = isRemoval ? { from: device_id, to: null } : { from: null, to: device_id }
  const object = { object: 'license_key', object_id: String(key_id) }
  return audit.record(tx, [{ action, ...object, changes: { device_id: change } }])
}
