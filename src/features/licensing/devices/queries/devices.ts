import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, firstRow, firstValue } from '../../../../db/rows.ts'
import type { StoreContext } from '../../../../store-context.ts'
import type { CursorPage, Device } from '../schema.ts'

/** A device row of the database. */
export type DeviceRow = Omit<Device, 'fingerprint_hash'> & {
  app_id: number
  fingerprint_hash: Buffer
  public_key: Buffer | null
}

/**
 * The columns of a device `d`. It is banned by a report of its program or by a device ban. The
 * device ban is read by a scalar subquery, because for `exists` PostgreSQL may read all device bans.
 */
const columnsAt = (now: string) => sql`
  d.id, 'device' as object, d.app_id, d.key_id, d.fingerprint_hash, d.components, d.public_key,
  d.public_key_thumbprint, d.name, d.platform,
  coalesce((select 'banned' from device_ban b
             where b.store_id = d.store_id and b.app_id = d.app_id and b.fingerprint_hash = d.fingerprint_hash
               and (b.expires_at is null or b.expires_at > ${now})
             limit 1), d.status) as status,
  d.first_seen_at, d.last_seen_at`

/** Returns up to `limit + 1` devices of a key, newest first; the extra one shows that another page follows. */
export const selectDevices = (
  db: Db,
  storeId: number,
  keyId: number,
  { cursor, limit, now }: CursorPage & { now: string },
) =>
  allRows<DeviceRow>(db)`
    select ${columnsAt(now)} from device d
     where d.store_id = ${storeId} and d.key_id = ${keyId}
       and (${cursor ?? null}::bigint is null or d.id < ${cursor ?? null})
     order by d.id desc
     limit ${limit + 1}`

export const selectDevice = (
  db: Db,
  { store, now }: Pick<StoreContext, 'store' | 'now'>,
  id: number,
) =>
  firstRow<DeviceRow>(db)`
    select ${columnsAt(now)} from device d where d.store_id = ${store.id} and d.id = ${id}`

export const selectDeviceByFingerprint = (
  db: Db,
  { store, now }: Pick<StoreContext, 'store' | 'now'>,
  keyId: number,
  fingerprint_hash: Buffer,
) =>
  firstRow<DeviceRow>(db)`
    select ${columnsAt(now)} from device d
     where d.store_id = ${store.id} and d.key_id = ${keyId}
       and d.fingerprint_hash = ${fingerprint_hash}`

/**
 * Deletes one device or all devices of keys, and ends their sessions. The keys must be locked. Returns the
 * number of deleted devices.
 */
export async function deleteDevices(
  tx: Tx,
  storeId: number,
  { keyIds, deviceId, now }: { keyIds: readonly number[]; deviceId?: number; now: string },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with deleted as (
      delete from device
       where store_id = ${storeId} and key_id = any(${keyIds}::bigint[])
         and (${deviceId ?? null}::bigint is null or id = ${deviceId ?? null})
      returning id, key_id
    ), ended_sessions as (
      update client_session set ended_at = ${now}, ended_reason = 'device_removed'
       where store_id = ${storeId} and id = any(array(
         select s.id from client_session s
           join deleted d on d.key_id = s.key_id and d.id = s.device_id
          where s.store_id = ${storeId} and s.ended_at is null
          order by s.id
            for update of s))
    ), updated_keys as (
      update license_key k set devices_count = k.devices_count - d.count
        from (select key_id, count(*) as count from deleted group by key_id) d
       where k.store_id = ${storeId} and k.id = d.key_id
    )
    select id from deleted`.execute(tx)
  return rows.length
}

/** Returns the next sequence number for license files; undefined if the device does not exist. */
export const nextLicenseFileSeq = (tx: Tx, storeId: number, id: number) =>
  firstValue<number>(tx)`
    update device set license_file_seq = license_file_seq + 1
     where store_id = ${storeId} and id = ${id}
    returning license_file_seq as seq`
