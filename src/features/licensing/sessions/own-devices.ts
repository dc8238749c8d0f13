import { inTransaction } from '../../../db/database.ts'
import { notFound, Refusal } from '../../../kernel/errors.ts'
import { deleteDevices, listDevices, selectDevice } from '../devices/index.ts'
import { countDeviceChange, countReset, lockKey } from '../keys/index.ts'
import { auditDevice } from './audit-device.ts'
import type { Call, LiveSession } from './call.ts'
import { endSession } from './queries/sessions.ts'
import type { OwnDevice } from './schema.ts'

/** R4: ends the session. */
export const endOwnSession = ({ context }: Call, { row }: LiveSession): Promise<void> =>
  endSession(context.db, context.store.id, row.id, { now: context.now, reason: 'left' })

/** R6: frees this device, within the device changes that the license allows in 30 days. */
export function deactivate({ context }: Call, { row }: LiveSession): Promise<void> {
  const { key_id, device_id } = row
  if (key_id === null || device_id === null) {
    throw new Refusal(409, 'This session has no device to deactivate.')
  }
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const key = await lockKey(tx, context, key_id)
    const freed = await deleteDevices(tx, store.id, { keyIds: [key_id], deviceId: device_id, now })
    // A concurrent call may have freed the device already: it counts once.
    if (freed > 0) await countDeviceChange(tx, context, key)
    await auditDevice(tx, context, 'device.deactivate', { key_id, device_id })
  })
}

/**
 * R6: frees another device of the license, such as a lost one, within the limits of resets and of device
 * changes. A banned device cannot be freed: it could register again as a new one.
 */
export function freeOwnDevice({ context }: Call, { row }: LiveSession, id: number): Promise<void> {
  const { key_id } = row
  if (key_id === null) throw notFound('Device')
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const key = await lockKey(tx, context, key_id)
    const device = await selectDevice(tx, store.id, id)
    if (device?.key_id !== key_id) throw notFound('Device')
    if (device.status === 'banned')
      throw new Refusal(409, 'This device is banned and cannot be freed. Ask the seller.')
    await deleteDevices(tx, store.id, { keyIds: [key_id], deviceId: id, now })
    await countReset(tx, context, key)
    await countDeviceChange(tx, context, key)
    await auditDevice(tx, context, 'device.free', { key_id, device_id: id })
  })
}

const DEVICES_SHOWN_MAX = 100

/** The devices of the session's own license, the newest first. */
export async function listOwnDevices(
  { context }: Call,
  { row }: LiveSession,
): Promise<{ devices: OwnDevice[] }> {
  if (row.key_id === null) return { devices: [] }
  const { devices } = await listDevices(context, row.key_id, {
    limit: DEVICES_SHOWN_MAX,
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
