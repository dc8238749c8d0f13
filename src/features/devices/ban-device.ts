import { inTransaction, type Tx } from '../../db/database.ts'
import { checkStillToCome, found, invalid } from '../../kernel/errors.ts'
import { type Pagination, pagination } from '../../kernel/page.ts'
import type { Shop } from '../../shop.ts'
import { appNamed } from '../apps/index.ts'
import { type Actor, recordChanges } from '../audit/index.ts'
import { hashFingerprint } from './fingerprint.ts'
import * as q from './queries/bans.ts'
import { selectDevice } from './queries/devices.ts'
import type { BanQuery, DeviceBan, NewDeviceBan } from './schema.ts'

/** Bans a machine or addresses in one app. Sessions that run there end with their next call. */
export function banDevice(shop: Shop, actor: Actor, sent: NewDeviceBan): Promise<DeviceBan> {
  const { store, now } = shop
  checkStillToCome(sent.expires_at, now)
  return inTransaction(shop.db, async (tx) => {
    const { app_id, fingerprint_hash } = await whatToBan(tx, shop, sent)
    const after = await q.insertBan(tx, store.id, {
      app_id,
      fingerprint_hash,
      ip_cidr: sent.ip_cidr ?? null,
      reason: sent.reason,
      expires_at: sent.expires_at,
      created_at: now,
    })
    const change = { action: 'device_ban.create', record_type: after.object, record_id: after.id }
    await recordChanges(tx, shop, actor, [{ ...change, after }])
    return after
  })
}

async function whatToBan(tx: Tx, shop: Shop, { app_id, fingerprint, device_id }: NewDeviceBan) {
  if (device_id === undefined) {
    const { id } = await appNamed(tx, shop, app_id)
    const hash = fingerprint === undefined ? null : hashFingerprint(shop.vault, id, fingerprint)
    return { app_id: id, fingerprint_hash: hash }
  }
  const device = found(await selectDevice(tx, shop.store.id, device_id), 'Device')
  if (app_id !== undefined && app_id !== device.app_id) {
    throw invalid('app_id', 'Use the app of the device, or leave it out.')
  }
  return { app_id: device.app_id, fingerprint_hash: device.fingerprint_hash }
}

export function liftBan(shop: Shop, actor: Actor, id: number): Promise<void> {
  return inTransaction(shop.db, async (tx) => {
    const before = found(await q.deleteBan(tx, shop.store.id, id), 'Device ban')
    const change = { action: 'device_ban.delete', record_type: before.object, record_id: id }
    await recordChanges(tx, shop, actor, [{ ...change, before }])
  })
}

export async function listBans(
  { db, store }: Shop,
  query: BanQuery,
): Promise<{ device_bans: DeviceBan[]; pagination: Pagination }> {
  const { bans, total } = await q.selectBans(db, store.id, query)
  return { device_bans: bans, pagination: pagination(query, total) }
}
