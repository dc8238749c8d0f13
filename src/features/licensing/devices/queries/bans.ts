import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { selectPage } from '../../../../db/newest.ts'
import { execute, firstRow, hasRows, onlyRow } from '../../../../db/rows.ts'
import type { BanQuery, DeviceBan } from '../schema.ts'

const COLUMNS = sql`
  id, 'device_ban' as object, app_id, encode(fingerprint_hash, 'hex') as fingerprint_hash,
  ip_cidr::text as ip_cidr, reason, expires_at, key_id, created_at`

export const selectBans = (db: Db, storeId: number, { app_id, ...page }: BanQuery) =>
  selectPage<DeviceBan>(db, {
    ...page,
    table: 'device_ban',
    columns: COLUMNS,
    storeId,
    filters: [app_id !== undefined && sql`app_id = ${app_id}`],
  })

interface NewBanRow {
  app_id: number
  fingerprint_hash: Buffer | null
  ip_cidr: string | null
  reason: string
  expires_at: string | null
  created_at: string
}

export const insertBan = (tx: Tx, storeId: number, row: NewBanRow) =>
  onlyRow<DeviceBan>(tx)`
    insert into device_ban (store_id, app_id, fingerprint_hash, ip_cidr, reason, expires_at, created_at)
    values (${storeId}, ${row.app_id}, ${row.fingerprint_hash}, ${row.ip_cidr}::cidr, ${row.reason},
            ${row.expires_at}, ${row.created_at})
    returning ${COLUMNS}`

export const deleteBan = (tx: Tx, storeId: number, id: number) =>
  firstRow<DeviceBan>(tx)`
    delete from device_ban where store_id = ${storeId} and id = ${id}
    returning ${COLUMNS}`

/**
 * Bans the devices of banned keys until the bans of the keys end, so that the devices cannot use another
 * key. Device bans from an earlier ban of the same keys get the new reason and end. Returns false if no
 * device ban changed.
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
): Promise<boolean> {
  const updated = await sql`
    update device_ban set reason = ${reason}, expires_at = ${expires_at}
     where store_id = ${storeId} and key_id = any(${keyIds}::bigint[])
       and (reason is distinct from ${reason} or expires_at is distinct from ${expires_at}::timestamptz)`.execute(
    tx,
  )
  const added = await sql`
    insert into device_ban (store_id, app_id, fingerprint_hash, reason, expires_at, key_id, created_at)
    select d.store_id, d.app_id, d.fingerprint_hash, ${reason}, ${expires_at}, d.key_id, ${now}
      from device d
     where d.store_id = ${storeId} and d.key_id = any(${keyIds}::bigint[])
       and not exists (select from device_ban b
                        where b.store_id = d.store_id and b.app_id = d.app_id
                          and b.fingerprint_hash = d.fingerprint_hash and b.key_id = d.key_id)`.execute(
    tx,
  )
  return updated.numAffectedRows !== 0n || added.numAffectedRows !== 0n
}

/** Returns true if a machine is banned in an app. */
export const isMachineBanned = (
  db: Db,
  storeId: number,
  { appId, fingerprint_hash, now }: { appId: number; fingerprint_hash: Buffer; now: string },
) =>
  hasRows(db)`
    select from device_ban
     where store_id = ${storeId} and app_id = ${appId} and fingerprint_hash = ${fingerprint_hash}
       and (expires_at is null or expires_at > ${now})
     limit 1`

/** Lifts the device bans that bans of these keys created. */
export const deleteBansOfKeys = (tx: Tx, storeId: number, keyIds: readonly number[]) =>
  execute(tx)`
    delete from device_ban
     where store_id = ${storeId} and key_id = any(${keyIds}::bigint[])`
