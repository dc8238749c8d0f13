import { inTransaction } from '../../../db/database.ts'
import { notFound, Refusal } from '../../../kernel/errors.ts'
import { deleteDevices, listDevices, selectDevice } from '../devices/index.ts'
import { countDeviceChange, countReset, lockKey } from '../keys/index.ts'
import { auditDevice } from './audit-device.ts'
import type { LiveSession, ProgramCall } from './call.ts'
import * as q from './queries/index.ts'
import type { OwnDevice } from './schema.ts'

/** Ends the session. */
export const endOwnSession = ({ context }: ProgramCall, { row }: LiveSession): Promise<void> =>
  q.endSession(context.db, context.store.id, row.id, { now: context.now, reason: 'left' })

/** Frees this device. This counts as one of the device changes that the license allows within 30 days. */
export function deactivate({ context }: ProgramCall, { row }: LiveSession): Promise<void> {
  const { key_id, device_id } = row
  if (key_id === null || device_id === null) {
    throw new Refusal(
      409,
      'This session has no device to deactivate. Start a session with a license and a device.',
    )
  }
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const key = await lockKey(tx, context, key_id)
    const freedCount = await deleteDevices(tx, store.id, {
      keyIds: [key_id],
      deviceId: device_id,
      now,
    })
    // If a concurrent call has freed the device already, the change is not counted twice.
    if (freedCount === 0) return
    await countDeviceChange(tx, context, key)
    await auditDevice(tx, context, 'device.deactivate', { key_id, device_id })
  })
}

/**
 * Frees another device of the license, such as a lost one. This counts as a device reset and a device change.
 * A banned device cannot be freed, because it could then register as a new device.
 */
export function freeOwnDevice(
  { context }: ProgramCall,
  { row }: LiveSession,
  deviceId: number,
): Promise<void> {
  const { key_id } = row
  if (key_id === null) throw notFound('Device')
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const key = await lockKey(tx, context, key_id)
    const device = await selectDevice(tx, context, deviceId)
    if (device?.key_id !== key_id) throw notFound('Device')
    if (device.status === 'banned')
      throw new Refusal(409, 'This device is banned and cannot be freed. Ask the seller.')
    await deleteDevices(tx, store.id, { keyIds: [key_id], deviceId, now })
    await countReset(tx, context, key)
    await countDeviceChange(tx, context, key)
    await auditDevice(tx, context, 'device.free', { key_id, device_id: deviceId })
  })
}

const LISTED_DEVICES_MAX = 100

/** Lists the devices of the session's license, newest first. */
export async function listOwnDevices(
  { context }: ProgramCall,
  { row }: LiveSession,
): Promise<{ devices: OwnDevice[] }> {
  if (row.key_id === null) return { devices: [] }
  const { devices } = await listDevices(context, row.key_id, {
    limit: LISTED_DEVICES_MAX,
    cursor: undefined,
  })
  return {
    devices: devices.map(({ id, name, platform, first_seen_at, last_seen_at }) => ({
      id,
      name,
      platform,
      current: id === row.device_id,
      first_seen_at,
      last_seen_at,
    })),
  }
}
