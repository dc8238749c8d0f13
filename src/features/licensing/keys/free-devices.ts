import { inTransaction } from '../../../db/database.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import { deleteDevices, endSessions } from '../devices/index.ts'
import { lockKey } from './reset-devices.ts'

/** Frees one device of a key and ends its sessions. */
export function freeDevice(
  context: StoreContext,
  actor: KeyActor,
  keyId: number,
  deviceId: number,
): Promise<void> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    await lockKey(tx, context, keyId)
    const freedCount = await deleteDevices(tx, store.id, { keyIds: [keyId], deviceId, now })
    if (freedCount === 0) throw notFound('Device')
    const change = { action: 'device.delete', record_type: 'device', record_id: deviceId }
    await recordChanges(tx, context, actor, [change])
  })
}

/** Ends the live sessions of a key. Returns their number. */
export function endKeySessions(
  context: StoreContext,
  actor: KeyActor,
  keyId: number,
): Promise<number> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    await lockKey(tx, context, keyId)
    const endedCount = await endSessions(tx, store.id, { keyIds: [keyId], now, reason: 'ended' })
    const change = { action: 'license_key.end_sessions', record_type: 'license_key' }
    if (endedCount === 0) context.audit.skipEvent()
    else await recordChanges(tx, context, actor, [{ ...change, record_id: keyId }])
    return endedCount
  })
}
