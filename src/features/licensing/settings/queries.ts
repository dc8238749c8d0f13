import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Page } from '../../../kernel/page.ts'
import type { RemoteSetting, SettingQuery, SettingVersion } from './schema.ts'

/** A setting as stored: its values are JSON texts. */
type Stored<T> = Omit<T, 'value' | 'default_value' | 'constraints'> & {
  value: string
  default_value: string | null
  constraints: string
}
type StoredSetting = Stored<RemoteSetting>

const COLUMNS = sql`
  id, 'remote_setting' as object, app_id, key, type, value, default_value, constraints, status,
  access, min_level, description, version, created_at, updated_at`

const fromRow = <T extends { value: string; default_value: string | null; constraints: string }>(
  row: T,
) => ({
  ...row,
  value: JSON.parse(row.value) as unknown,
  default_value: row.default_value === null ? null : (JSON.parse(row.default_value) as unknown),
  constraints: JSON.parse(row.constraints) as RemoteSetting['constraints'],
})

export async function selectSettings(
  db: Db,
  storeId: number,
  { app_id, limit, offset }: SettingQuery,
): Promise<{ settings: RemoteSetting[]; total: number }> {
  const where = sql`store_id = ${storeId} and (${app_id ?? null}::bigint is null or app_id = ${app_id ?? null})`
  const { rows } = await sql<StoredSetting>`
    select ${COLUMNS} from remote_setting
     where ${where}
     order by id desc
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total from remote_setting where ${where}`.execute(db)
  return { settings: rows.map(fromRow), total: count.rows[0]?.total ?? 0 }
}

export async function selectSetting(
  db: Db,
  storeId: number,
  id: number,
): Promise<RemoteSetting | undefined> {
  const { rows } = await sql<StoredSetting>`
    select ${COLUMNS} from remote_setting where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0] && fromRow(rows[0])
}

export async function selectSettingsOfApp(
  db: Db,
  storeId: number,
  appId: number,
): Promise<RemoteSetting[]> {
  const { rows } = await sql<StoredSetting>`
    select ${COLUMNS} from remote_setting
     where store_id = ${storeId} and app_id = ${appId}
     order by key`.execute(db)
  return rows.map(fromRow)
}

export async function countSettings(db: Db, storeId: number, appId: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from remote_setting
     where store_id = ${storeId} and app_id = ${appId}`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * Raises the version of an app's configuration. This locks the app's row, so changes of its settings run
 * one at a time.
 */
export async function bumpConfig(tx: Tx, storeId: number, appId: number): Promise<number> {
  const { rows } = await sql<{ config_version: number }>`
    update client_app set config_version = config_version + 1
     where store_id = ${storeId} and id = ${appId}
    returning config_version`.execute(tx)
  return rows[0]?.config_version ?? 0
}

export type SettingRow = Omit<RemoteSetting, 'id' | 'object'>

const toRow = ({ value, default_value, constraints, ...row }: SettingRow) => ({
  ...row,
  value: JSON.stringify(value),
  default_value: default_value === null ? null : JSON.stringify(default_value),
  constraints: JSON.stringify(constraints),
})

export async function insertSetting(tx: Tx, storeId: number, row: SettingRow): Promise<number> {
  const { id } = await tx
    .insertInto('remote_setting')
    .values({ ...toRow(row), store_id: storeId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateSetting(
  tx: Tx,
  storeId: number,
  id: number,
  row: SettingRow,
): Promise<void> {
  await tx
    .updateTable('remote_setting')
    .set(toRow(row))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Inserts or updates settings of an app by key. Returns their ids. */
export async function upsertSettings(
  tx: Tx,
  storeId: number,
  rows: readonly SettingRow[],
): Promise<number[]> {
  if (rows.length === 0) return []
  const upserted = await sql<{ id: number }>`
    insert into remote_setting (store_id, app_id, key, type, value, default_value, constraints, status,
                                access, min_level, description, version, created_at, updated_at)
    select ${storeId}, s.app_id, s.key, s.type, s.value, s.default_value, s.constraints, s.status,
           s.access, s.min_level, s.description, s.version, s.created_at, s.updated_at
      from jsonb_to_recordset(${JSON.stringify(rows.map(toRow))})
        as s(app_id bigint, key text, type text, value text, default_value text, constraints text,
             status text, access text, min_level integer, description text, version bigint,
             created_at timestamptz, updated_at timestamptz)
        on conflict (store_id, app_id, key) do update
       set type = excluded.type, value = excluded.value, default_value = excluded.default_value,
           constraints = excluded.constraints, status = excluded.status, access = excluded.access,
           min_level = excluded.min_level, description = excluded.description,
           version = excluded.version,
           updated_at = greatest(remote_setting.updated_at, excluded.updated_at)
    returning id`.execute(tx)
  return upserted.rows.map((row) => row.id)
}

export async function deleteSettings(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    delete from remote_setting
     where store_id = ${storeId} and id = any(${ids}::bigint[])`.execute(tx)
}

const VERSIONS_MAX = 300

/** Saves the current content as a version. Deletes versions beyond 300, or replaced 90 days ago. */
export async function saveVersions(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
  { actor_key_id, now }: { actor_key_id: number | null; now: string },
): Promise<void> {
  await sql`
    insert into remote_setting_version (store_id, setting_id, version, type, value, default_value,
                                        constraints, status, access, min_level, description,
                                        actor_key_id, created_at)
    select store_id, id, version, type, value, default_value, constraints, status, access, min_level,
           description, ${actor_key_id}, ${now}
      from remote_setting
     where store_id = ${storeId} and id = any(${ids}::bigint[])`.execute(tx)
  await sql`
    delete from remote_setting_version v
     using remote_setting s
     where s.store_id = ${storeId} and s.id = any(${ids}::bigint[])
       and v.store_id = ${storeId} and v.setting_id = s.id and v.version < s.version
       and (v.version <= s.version - ${VERSIONS_MAX}
            or exists (
                 select from remote_setting_version n
                  where n.store_id = v.store_id and n.setting_id = v.setting_id
                    and n.version > v.version
                    and n.created_at < ${now}::timestamptz - interval '90 days'))`.execute(tx)
}

const VERSION_COLUMNS = sql`
  'remote_setting_version' as object, version, type, value, default_value, constraints, status, access,
  min_level, description, actor_key_id, created_at`

export async function selectVersions(
  db: Db,
  storeId: number,
  settingId: number,
  { limit, offset }: Page,
): Promise<{ versions: SettingVersion[]; total: number }> {
  const { rows } = await sql<Stored<SettingVersion>>`
    select ${VERSION_COLUMNS} from remote_setting_version
     where store_id = ${storeId} and setting_id = ${settingId}
     order by version desc
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total from remote_setting_version
     where store_id = ${storeId} and setting_id = ${settingId}`.execute(db)
  return { versions: rows.map(fromRow), total: count.rows[0]?.total ?? 0 }
}

export async function selectVersion(
  db: Db,
  storeId: number,
  settingId: number,
  version: number,
): Promise<SettingVersion | undefined> {
  const { rows } = await sql<Stored<SettingVersion>>`
    select ${VERSION_COLUMNS} from remote_setting_version
     where store_id = ${storeId} and setting_id = ${settingId} and version = ${version}`.execute(db)
  return rows[0] && fromRow(rows[0])
}
