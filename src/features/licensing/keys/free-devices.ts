import { inTransaction } from '../../../db/database.ts'
import { found, notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import { deleteDevices, endSessions } from '../devices/index.ts'
import * as q from './queries/keys.ts'

/** Frees one device of a key and ends its sessions. */
export function freeDevice(
  context: StoreContext,
  actor: Actor,
  keyId: number,
  deviceId: number,
): Promise<void> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const [key] = await q.lockKeys(tx, store.id, [keyId])
    found(key, 'Key')
    const freed = await deleteDevices(tx, store.id, { keyIds: [keyId], deviceId, now })
    if (freed === 0) throw notFound('Device')
    const change = { action: 'device.delete', record_type: 'device', record_id: deviceId }
    await recordChanges(tx, context, actor, [change])
  })
}

/** Ends the sessions of a key. Returns how many there were. */
export function endKeySessions(
  context: StoreContext,
  actor: Actor,
  keyId: number,
): Promise<number> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const [key] = await q.lockKeys(tx, store.id, [keyId])
    found(key, 'Key')
    const ended = await endSessions(tx, store.id, { keyIds: [keyId], now, reason: 'ended' })
    const change = { action: 'license_key.end_sessions', record_type: 'license_key' }
    await recordChanges(tx, context, actor, [{ ...change, record_id: keyId }])
    return ended
  })
}
