import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { insertRecord, updateRecord } from '../../../db/records.ts'
import { execute, onlyValue } from '../../../db/rows.ts'
import type { Page } from '../../../kernel/page.ts'
import { type AppTable, selectRecord } from '../app-records/index.ts'
import type { RemoteSetting, SettingVersion } from './schema.ts'

/** A row of the database, in which the values are JSON texts. */
type WithJsonTexts<T> = Omit<T, keyof JsonTexts> & JsonTexts
interface JsonTexts {
  value: string
  default_value: string | null
  constraints: string
}
type StoredSetting = WithJsonTexts<RemoteSetting>

const COLUMNS = sql<StoredSetting>`
  id, 'remote_setting' as object, app_id, key, type, value, default_value, constraints, status,
  access, min_level, description, version, created_at, updated_at`

export const SETTINGS: AppTable<StoredSetting> = { name: 'remote_setting', columns: COLUMNS }

/** Parses the JSON texts of a row. */
export const fromRow = <T extends JsonTexts>(row: T) => ({
  ...row,
  value: JSON.parse(row.value) as unknown,
  default_value: row.default_value === null ? null : (JSON.parse(row.default_value) as unknown),
  constraints: JSON.parse(row.constraints) as RemoteSetting['constraints'],
})

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

export const countSettings = (db: Db, storeId: number, appId: number) =>
  onlyValue<number>(db)`
    select count(*) as total from remote_setting
     where store_id = ${storeId} and app_id = ${appId}`

/**
 * Increments the `config_version` of an app. The statement locks the app's row, so changes of its settings
 * run one at a time.
 */
export async function incrementConfigVersion(
  tx: Tx,
  storeId: number,
  appId: number,
): Promise<number> {
  const { rows } = await sql<{ config_version: number }>`
    update client_app set config_version = config_version + 1
     where store_id = ${storeId} and id = ${appId}
    returning config_version`.execute(tx)
  return rows[0]?.config_version ?? 0
}

/** Locks a setting by incrementing the `config_version` of its app, as every change does first. */
export async function lockSetting(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<StoredSetting | undefined> {
  const setting = await selectRecord(tx, storeId, SETTINGS, id)
  if (!setting) return undefined
  await incrementConfigVersion(tx, storeId, setting.app_id)
  return selectRecord(tx, storeId, SETTINGS, id)
}

export type SettingRow = Omit<RemoteSetting, 'id' | 'object'>

const toRow = ({ value, default_value, constraints, ...row }: SettingRow) => ({
  ...row,
  value: JSON.stringify(value),
  default_value: default_value === null ? null : JSON.stringify(default_value),
  constraints: JSON.stringify(constraints),
})

export const insertSetting = (tx: Tx, storeId: number, row: SettingRow) =>
  insertRecord(tx, 'remote_setting', { ...toRow(row), store_id: storeId })

export const updateSetting = (
  tx: Tx,
  storeId: number,
  id: number,
  row: SettingRow,
): Promise<boolean> => updateRecord(tx, 'remote_setting', { storeId, id }, toRow(row))

/** Inserts or updates settings of an app by key. Returns their ids. */
export async function upsertSettings(
  tx: Tx,
  storeId: number,
  rows: readonly SettingRow[],
): Promise<number[]> {
  if (rows.length === 0) return []
  const { rows: upsertedRows } = await sql<{ id: number }>`
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
  return upsertedRows.map((row) => row.id)
}

export const deleteSettings = (tx: Tx, storeId: number, ids: readonly number[]) =>
  execute(tx)`
    delete from remote_setting
     where store_id = ${storeId} and id = any(${ids}::bigint[])`

const VERSIONS_MAX = 300

/** The actor who saves a version, and the time. */
interface SavedBy {
  actor_key_id: number | null
  actor_name: string | null
  now: string
}

/**
 * Saves the current content of settings as versions. Deletes the versions beyond the newest 300 of a
 * setting, and versions that were replaced more than 90 days ago.
 */
export async function saveVersions(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
  { actor_key_id, actor_name, now }: SavedBy,
): Promise<void> {
  await sql`
    insert into remote_setting_version (store_id, setting_id, version, type, value, default_value,
                                        constraints, status, access, min_level, description,
                                        actor_key_id, actor_name, created_at)
    select store_id, id, version, type, value, default_value, constraints, status, access, min_level,
           description, ${actor_key_id}, ${actor_name}, ${now}
      from remote_setting
     where store_id = ${storeId} and id = any(${ids}::bigint[])`.execute(tx)
  await sql`
    delete from remote_setting_version v
     using remote_setting s
     where s.store_id = ${storeId} and s.id = any(${ids}::bigint[])
       and v.store_id = ${storeId} and v.setting_id = s.id and v.version < s.version
       and (v.version <= s.version - ${VERSIONS_MAX}
            or exists (
                 select from remote_setting_version newer
                  where newer.store_id = v.store_id and newer.setting_id = v.setting_id
                    and newer.version > v.version
                    and newer.created_at < ${now}::timestamptz - interval '90 days'))`.execute(tx)
}

const VERSION_COLUMNS = sql`
  'remote_setting_version' as object, version, type, value, default_value, constraints, status, access,
  min_level, description, actor_key_id, actor_name, created_at`

export async function selectVersions(
  db: Db,
  storeId: number,
  settingId: number,
  { limit, offset }: Page,
): Promise<{ versions: SettingVersion[]; total: number }> {
  const { rows } = await sql<WithJsonTexts<SettingVersion>>`
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
  const { rows } = await sql<WithJsonTexts<SettingVersion>>`
    select ${VERSION_COLUMNS} from remote_setting_version
     where store_id = ${storeId} and setting_id = ${settingId} and version = ${version}`.execute(db)
  return rows[0] && fromRow(rows[0])
}
