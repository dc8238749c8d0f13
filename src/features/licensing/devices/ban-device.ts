import { inTransaction, type Tx } from '../../../db/database.ts'
import { checkStillToCome, found, invalid } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import { appNamed } from '../apps/index.ts'
import { hashFingerprint } from './fingerprint.ts'
import * as q from './queries/bans.ts'
import { selectDevice } from './queries/devices.ts'
import type { BanQuery, DeviceBan, NewDeviceBan } from './schema.ts'

/** Bans a machine or addresses in one app. Their live sessions end with their next call. */
export function banDevice(
  context: StoreContext,
  actor: Actor,
  body: NewDeviceBan,
): Promise<DeviceBan> {
  const { store, now } = context
  checkStillToCome(body.expires_at, now)
  return inTransaction(context.db, async (tx) => {
    const { app_id, fingerprint_hash } = await banTargetOf(tx, context, body)
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

async function banTargetOf(
  tx: Tx,
  context: StoreContext,
  { app_id, fingerprint, device_id }: NewDeviceBan,
) {
  if (device_id === undefined) {
    const { id } = await appNamed(tx, context, app_id)
    const hash = fingerprint === undefined ? null : hashFingerprint(context.vault, id, fingerprint)
    return { app_id: id, fingerprint_hash: hash }
  }
  const device = found(await selectDevice(tx, context.store.id, device_id), 'Device')
  if (app_id !== undefined && app_id !== device.app_id) {
    throw invalid('app_id', 'Use the app of the device, or leave it out.')
  }
  return { app_id: device.app_id, fingerprint_hash: device.fingerprint_hash }
}

export function liftBan(context: StoreContext, actor: Actor, id: number): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.deleteBan(tx, context.store.id, id), 'Device ban')
    const change = { action: 'device_ban.delete', record_type: before.object, record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before }])
  })
}

export async function listBans(
  { db, store }: StoreContext,
  query: BanQuery,
): Promise<{ device_bans: DeviceBan[]; pagination: Pagination }> {
  const { bans, total } = await q.selectBans(db, store.id, query)
  return { device_bans: bans, pagination: pagination(query, total) }
}
