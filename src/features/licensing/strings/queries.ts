import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { countedTo } from '../../../kernel/page.ts'
import type { ListedString, StringQuery } from './schema.ts'

export type StringRow = ListedString & { value_enc: Buffer }

const LISTED = sql`
  id, 'serverside_string' as object, app_id, name, status, access, min_level, description,
  value_bytes, version, fetch_count, last_fetched_at, created_at, updated_at`

export async function selectStrings(
  db: Db,
  storeId: number,
  { app_id, limit, offset }: StringQuery,
): Promise<{ strings: ListedString[]; total: number }> {
  const where = sql`store_id = ${storeId} and (${app_id ?? null}::bigint is null or app_id = ${app_id ?? null})`
  const { rows } = await sql<ListedString>`
    select ${LISTED} from serverside_string
     where ${where}
     order by id desc
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total
      from (select from serverside_string where ${where} limit ${countedTo({ limit, offset })}) n`.execute(
    db,
  )
  return { strings: rows, total: count.rows[0]?.total ?? 0 }
}

export async function selectString(
  db: Db,
  storeId: number,
  id: number,
): Promise<StringRow | undefined> {
  const { rows } = await sql<StringRow>`
    select ${LISTED}, value_enc from serverside_string
     where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows[0]
}

export async function lockString(
  tx: Tx,
  storeId: number,
  id: number,
): Promise<StringRow | undefined> {
  const { rows } = await sql<StringRow>`
    select ${LISTED}, value_enc from serverside_string
     where store_id = ${storeId} and id = ${id}
       for update`.execute(tx)
  return rows[0]
}

/** Draws the id of the next string before the insert, because its value is sealed for it. */
export async function drawStringId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('serverside_string', 'id')) as id`.execute(tx)
  return rows[0]?.id ?? 0
}

export type NewStringRow = Pick<
  StringRow,
  | 'id'
  | 'app_id'
  | 'name'
  | 'status'
  | 'access'
  | 'min_level'
  | 'description'
  | 'value_bytes'
  | 'value_enc'
  | 'version'
  | 'created_at'
  | 'updated_at'
>

export async function insertString(tx: Tx, storeId: number, row: NewStringRow): Promise<void> {
  await tx
    .insertInto('serverside_string')
    .values({ ...row, store_id: storeId })
    .execute()
}

export async function updateString(
  tx: Tx,
  storeId: number,
  id: number,
  { updated_at, ...fields }: Partial<NewStringRow> & { updated_at: string },
): Promise<void> {
  await tx
    .updateTable('serverside_string')
    .set((row) => ({
      ...fields,
      updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

export async function deleteString(tx: Tx, storeId: number, id: number): Promise<void> {
  await tx
    .deleteFrom('serverside_string')
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Finds an active string by the name that programs use. */
export async function selectActiveString(
  db: Db,
  storeId: number,
  appId: number,
  name: string,
): Promise<StringRow | undefined> {
  const { rows } = await sql<StringRow>`
    select ${LISTED}, value_enc from serverside_string
     where store_id = ${storeId} and app_id = ${appId} and name = ${name} and status = 'active'`.execute(
    db,
  )
  return rows[0]
}

/** Adds the reads since the last flush. */
export async function addFetches(
  db: Db,
  fetches: readonly { store_id: number; id: number; count: number; at: string }[],
): Promise<void> {
  await sql`
    update serverside_string s
       set fetch_count = s.fetch_count + f.count,
           last_fetched_at = greatest(s.last_fetched_at, f.at)
      from unnest(${fetches.map((item) => item.store_id)}::bigint[],
                  ${fetches.map((item) => item.id)}::bigint[],
                  ${fetches.map((item) => item.count)}::bigint[],
                  ${fetches.map((item) => item.at)}::timestamptz[]) as f(store_id, id, count, at)
     where s.store_id = f.store_id and s.id = f.id`.execute(db)
}
