import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { countedTo } from '../../../../kernel/page.ts'
import type { BanQuery, DeviceBan } from '../schema.ts'

const COLUMNS = sql`
  id, 'device_ban' as object, app_id, encode(fingerprint_hash, 'hex') as fingerprint_hash,
  ip_cidr::text as ip_cidr, reason, expires_at, key_id, created_at`

export async function selectBans(
  db: Db,
  storeId: number,
  { app_id, limit, offset }: BanQuery,
): Promise<{ bans: DeviceBan[]; total: number }> {
  const where = sql`store_id = ${storeId} and (${app_id ?? null}::bigint is null or app_id = ${app_id ?? null})`
  const { rows } = await sql<DeviceBan>`
    select ${COLUMNS} from device_ban
     where ${where}
     order by id desc
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total
      from (select from device_ban where ${where} limit ${countedTo({ limit, offset })}) n`.execute(
    db,
  )
  return { bans: rows, total: count.rows[0]?.total ?? 0 }
}

export interface NewBanRow {
  app_id: number
  fingerprint_hash: Buffer | null
  ip_cidr: string | null
  reason: string
  expires_at: string | null
  created_at: string
}

export async function insertBan(tx: Tx, storeId: number, row: NewBanRow): Promise<DeviceBan> {
  const { rows } = await sql<DeviceBan>`
    insert into device_ban (store_id, app_id, fingerprint_hash, ip_cidr, reason, expires_at, created_at)
    values (${storeId}, ${row.app_id}, ${row.fingerprint_hash}, ${row.ip_cidr}::cidr, ${row.reason},
            ${row.expires_at}, ${row.created_at})
    returning ${COLUMNS}`.execute(tx)
  const [ban] = rows
  if (!ban) throw new Error('The insert of a device ban returned no row.')
  return ban
}

export async function deleteBan(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<DeviceBan | undefined> {
  const { rows } = await sql<DeviceBan>`
    delete from device_ban where store_id = ${storeId} and id = ${id}
    returning ${COLUMNS}`.execute(tx)
  return rows[0]
}

/**
 * Bans the devices of banned keys for as long as the keys, so that they cannot use another key. Device bans
 * left from an earlier ban of the same keys get the new end.
 */
export async function upsertBansOfKeys(
  tx: Tx,
  storeId: number,
  {
    keyIds,
    reason,
    expires_at,
    now,
  }: {
    keyIds: readonly number[]
    reason: string
    expires_at: string | null
    now: string
  },
): Promise<void> {
  await sql`
    update device_ban set reason = ${reason}, expires_at = ${expires_at}
     where store_id = ${storeId} and key_id = any(${keyIds}::bigint[])`.execute(tx)
  await sql`
    insert into device_ban (store_id, app_id, fingerprint_hash, reason, expires_at, key_id, created_at)
    select d.store_id, d.app_id, d.fingerprint_hash, ${reason}, ${expires_at}, d.key_id, ${now}
      from device d
     where d.store_id = ${storeId} and d.key_id = any(${keyIds}::bigint[])
       and not exists (select from device_ban b
                        where b.store_id = d.store_id and b.app_id = d.app_id
                          and b.fingerprint_hash = d.fingerprint_hash and b.key_id = d.key_id)`.execute(
    tx,
  )
}

/** True if a machine is banned in an app. */
export async function isMachineBanned(
  db: Db,
  storeId: number,
  { appId, fingerprint_hash, now }: { appId: number; fingerprint_hash: Buffer; now: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from device_ban
     where store_id = ${storeId} and app_id = ${appId} and fingerprint_hash = ${fingerprint_hash}
       and (expires_at is null or expires_at > ${now})
     limit 1`.execute(db)
  return rows.length > 0
}

/** Lifts the device bans that bans of these keys created. */
export async function deleteBansOfKeys(
  tx: Tx,
  storeId: number,
  keyIds: readonly number[],
): Promise<void> {
  await sql`
    delete from device_ban
     where store_id = ${storeId} and key_id = any(${keyIds}::bigint[])`.execute(tx)
}
