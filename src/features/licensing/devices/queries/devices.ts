import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import type { CursorPage, Device } from '../schema.ts'

/** A device as stored. */
export type DeviceRow = Omit<Device, 'fingerprint_hash'> & {
  app_id: number
  fingerprint_hash: Buffer
  public_key: Buffer | null
}

const COLUMNS = sql`
  id, 'device' as object, app_id, key_id, fingerprint_hash, components, public_key,
  public_key_thumbprint, name, platform, status, first_seen_at, last_seen_at`

/** A page of a key's devices and one more row, newest first. */
export async function selectDevices(
  db: Db,
  storeId: number,
  keyId: number,
  { cursor, limit }: CursorPage,
): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`
    select ${COLUMNS} from device
     where store_id = ${storeId} and key_id = ${keyId}
       and (${cursor ?? null}::bigint is null or id < ${cursor ?? null})
     order by id desc
     limit ${limit + 1}`.execute(db)
  return rows
}

export async function selectDevice(
  db: Db,
  storeId: number,
  id: number,
): Promise<DeviceRow | undefined> {
  const { rows } = await sql<DeviceRow>`
    select ${COLUMNS} from device where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0]
}

export async function selectDeviceByFingerprint(
  db: Db,
  storeId: number,
  keyId: number,
  fingerprint_hash: Buffer,
): Promise<DeviceRow | undefined> {
  const { rows } = await sql<DeviceRow>`
    select ${COLUMNS} from device
     where store_id = ${storeId} and key_id = ${keyId}
       and fingerprint_hash = ${fingerprint_hash}`.execute(db)
  return rows[0]
}

/** Deletes one or all devices of keys and ends their sessions. The keys must be locked. */
export async function deleteDevices(
  tx: Tx,
  storeId: number,
  { keyIds, deviceId, now }: { keyIds: readonly number[]; deviceId?: number; now: string },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with gone as (
      delete from device
       where store_id = ${storeId} and key_id = any(${keyIds}::bigint[])
         and (${deviceId ?? null}::bigint is null or id = ${deviceId ?? null})
      returning id, key_id
    ), ended as (
      update client_session set ended_at = ${now}, ended_reason = 'device_removed'
       where store_id = ${storeId} and id = any(array(
         select s.id from client_session s
           join gone on gone.key_id = s.key_id and gone.id = s.device_id
          where s.store_id = ${storeId} and s.ended_at is null
          order by s.id
            for update of s))
    ), counted as (
      update license_key k set devices_count = k.devices_count - g.count
        from (select key_id, count(*) as count from gone group by key_id) g
       where k.store_id = ${storeId} and k.id = g.key_id
    )
    select id from gone`.execute(tx)
  return rows.length
}

/** The sequence number of the next license file; undefined if the device does not exist. */
export async function nextFileSeq(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ seq: number }>`
    update device set license_file_seq = license_file_seq + 1
     where store_id = ${storeId} and id = ${id}
    returning license_file_seq as seq`.execute(tx)
  return rows[0]?.seq
}
