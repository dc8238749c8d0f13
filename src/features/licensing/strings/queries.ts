import { sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { deleteRecord, updateRecord } from '../../../db/records.ts'
import { allRows, onlyValue } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import { type AppTable, addUses, type Uses } from '../app-records/index.ts'
import type { ListedString } from './schema.ts'

export type StringRow = ListedString & { value_enc: Buffer }

const LISTED_COLUMNS = sql<ListedString>`
  id, 'serverside_string' as object, app_id, name, status, access, min_level, description,
  value_bytes, version, fetch_count, last_fetched_at, created_at, updated_at`

/** Strings without their values, for lists. */
export const LISTED_STRINGS: AppTable<ListedString> = {
  name: 'serverside_string',
  columns: LISTED_COLUMNS,
}
export const STRINGS: AppTable<StringRow> = {
  name: 'serverside_string',
  columns: sql`${LISTED_COLUMNS}, value_enc`,
}

/** Reserves the id of a new string. The value is sealed with the id, so the id is needed before the insert. */
export const nextStringId = (tx: Tx) =>
  onlyValue<number>(tx)`
    select nextval(pg_get_serial_sequence('serverside_string', 'id')) as id`

type NewStringRow = Omit<StringRow, 'object' | 'fetch_count' | 'last_fetched_at'>

export async function insertString(tx: Tx, storeId: number, row: NewStringRow): Promise<void> {
  await tx
    .insertInto('serverside_string')
    .values({ ...row, store_id: storeId })
    .execute()
}

export const updateString = (
  tx: Tx,
  storeId: number,
  id: number,
  columns: Updateable<Tables['serverside_string']>,
): Promise<boolean> => updateRecord(tx, 'serverside_string', { storeId, id }, columns)

export const deleteString = (tx: Tx, storeId: number, id: number): Promise<boolean> =>
  deleteRecord(tx, 'serverside_string', { storeId, id })

/** The maximum number of former versions of a string. */
const VERSIONS_MAX = 50

export type StringVersionRow = Pick<
  StringRow,
  'version' | 'name' | 'status' | 'access' | 'min_level' | 'description' | 'value_enc'
> & { string_id: number; created_at: string }

/** Saves the current row of a string as a former version, and deletes the oldest versions. */
export async function saveVersion(tx: Tx, storeId: number, id: number): Promise<void> {
  await sql`
    insert into serverside_string_version (store_id, string_id, version, name, status, value_enc, access,
                                           min_level, description, created_at)
    select store_id, id, version, name, status, value_enc, access, min_level, description, updated_at
      from serverside_string
     where store_id = ${storeId} and id = ${id}`.execute(tx)
  await sql`
    delete from serverside_string_version v
     using serverside_string s
     where s.store_id = ${storeId} and s.id = ${id}
       and v.store_id = s.store_id and v.string_id = s.id
       and v.version <= s.version - ${VERSIONS_MAX}`.execute(tx)
}

/** Returns the former versions of a string, newest first. */
export const selectVersions = (db: Db, storeId: number, id: number) =>
  allRows<StringVersionRow>(db)`
    select string_id, version, name, status, value_enc, access, min_level, description, created_at
      from serverside_string_version
     where store_id = ${storeId} and string_id = ${id}
     order by version desc`

/** Adds the reads since the last flush. */
export const addFetches = (db: Db, uses: readonly Uses[]): Promise<void> =>
  addUses(db, 'serverside_string', { count: 'fetch_count', last: 'last_fetched_at' }, uses)
