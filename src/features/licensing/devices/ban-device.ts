import { inTransaction, type Tx } from '../../../db/database.ts'
import { checkInFuture, invalid, requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import { lockAppOrDefault } from '../apps/index.ts'
import { hashFingerprint } from './fingerprint.ts'
import * as q from './queries/index.ts'
import type { BanQuery, DeviceBan, NewDeviceBan } from './schema.ts'

/** Bans a machine or addresses in one app. A live session on them ends with its next call. */
export function banDevice(
  context: StoreContext,
  actor: KeyActor,
  body: NewDeviceBan,
): Promise<DeviceBan> {
  const { store, now } = context
  checkInFuture(body.expires_at, now)
  return inTransaction(context.db, async (tx) => {
    const { app_id, fingerprint_hash } = await banTarget(tx, context, body)
    const after = await q.insertBan(tx, store.id, {
      app_id,
      fingerprint_hash,
      ip_cidr: body.ip_cidr ?? null,
      reason: body.reason,
      expires_at: body.expires_at,
      created_at: now,
    })
    const change = { action: 'device_ban.create', record_type: after.object, record_id: after.id }
    await recordChanges(tx, context, actor, [{ ...change, after }])
    return after
  })
}

async function banTarget(
  tx: Tx,
  context: StoreContext,
  { app_id, fingerprint, device_id }: NewDeviceBan,
) {
  if (device_id === undefined) {
    const { id } = await lockAppOrDefault(tx, context, app_id)
    const hash = fingerprint === undefined ? null : hashFingerprint(context.vault, id, fingerprint)
    return { app_id: id, fingerprint_hash: hash }
  }
  const device = requireRecord(await q.selectDevice(tx, context, device_id), 'Device')
  if (app_id !== undefined && app_id !== device.app_id) {
    throw invalid('app_id', 'Use the app of the device, or omit app_id.')
  }
  return { app_id: device.app_id, fingerprint_hash: device.fingerprint_hash }
}

export function liftBan(context: StoreContext, actor: KeyActor, id: number): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.deleteBan(tx, context.store.id, id), 'Device ban')
    const change = { action: 'device_ban.delete', record_type: before.object, record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before }])
  })
}

export async function listBans({ db, store }: StoreContext, query: BanQuery) {
  const { records, total } = await q.selectBans(db, store.id, query)
  return { device_bans: records, pagination: pagination(query, total) }
}
