import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { countedTo } from '../../../kernel/page.ts'
import type { FileQuery, ServersideFile } from './schema.ts'

export type FileRow = ServersideFile & { blob_id: string }

const COLUMNS = sql`
  id, 'serverside_file' as object, app_id, name, filename, content_type, status, access, min_level,
  upload_state, size_bytes, sha256, storage, version, download_count, last_downloaded_at, created_at,
  updated_at, blob_id`

/** Files that are being deleted are hidden, except from the deletion itself. */
export async function selectFiles(
  db: Db,
  storeId: number,
  { app_id, limit, offset }: FileQuery,
): Promise<{ files: FileRow[]; total: number }> {
  const where = sql`
    store_id = ${storeId} and upload_state <> 'deleting'
      and (${app_id ?? null}::bigint is null or app_id = ${app_id ?? null})`
  const { rows } = await sql<FileRow>`
    select ${COLUMNS} from serverside_file
     where ${where}
     order by id desc
     limit ${limit} offset ${offset}`.execute(db)
  const count = await sql<{ total: number }>`
    select count(*) as total
      from (select from serverside_file where ${where} limit ${countedTo({ limit, offset })}) n`.execute(
    db,
  )
  return { files: rows, total: count.rows[0]?.total ?? 0 }
}

export async function selectFile(
  db: Db,
  storeId: number,
  id: number,
): Promise<FileRow | undefined> {
  const { rows } = await sql<FileRow>`
    select ${COLUMNS} from serverside_file
     where store_id = ${storeId} and id = ${id} and upload_state <> 'deleting'`.execute(db)
  return rows[0]
}

/** Locks a file, even one that is being deleted. */
export async function lockFile(tx: Tx, storeId: number, id: number): Promise<FileRow | undefined> {
  const { rows } = await sql<FileRow>`
    select ${COLUMNS} from serverside_file
     where store_id = ${storeId} and id = ${id}
       for update`.execute(tx)
  return rows[0]
}

/** Finds an active file by the name that programs use. */
export async function selectActiveFile(
  db: Db,
  storeId: number,
  appId: number,
  name: string,
): Promise<FileRow | undefined> {
  const { rows } = await sql<FileRow>`
    select ${COLUMNS} from serverside_file
     where store_id = ${storeId} and app_id = ${appId} and name = ${name} and status = 'active'
       and upload_state = 'ready'`.execute(db)
  return rows[0]
}

export type NewFileRow = Omit<FileRow, 'id' | 'object' | 'download_count' | 'last_downloaded_at'>

export async function insertFile(tx: Tx, storeId: number, row: NewFileRow): Promise<number> {
  const { id } = await tx
    .insertInto('serverside_file')
    .values({ ...row, store_id: storeId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateFile(
  tx: Tx,
  storeId: number,
  id: number,
  { updated_at, ...fields }: Partial<NewFileRow> & { delete_due_at?: string },
): Promise<void> {
  await tx
    .updateTable('serverside_file')
    .set((row) => ({
      ...fields,
      ...(updated_at && {
        updated_at: sql<string>`greatest(${row.ref('updated_at')}, ${updated_at})`,
      }),
    }))
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Returns false if the row was deleted already. */
export async function deleteFile(tx: Tx, storeId: number, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from serverside_file
     where store_id = ${storeId} and id = ${id} and upload_state = 'deleting'`.execute(tx)
  return numAffectedRows === 1n
}

export interface DeletingFile {
  store_id: number
  id: number
  blob_id: string
  delete_attempts: number
}

/** Files whose bytes could not be deleted, and whose next attempt is due. */
export async function selectDeleting(db: Db, now: string, limit: number): Promise<DeletingFile[]> {
  const { rows } = await sql<DeletingFile>`
    select store_id, id, blob_id, delete_attempts
      from serverside_file
     where upload_state = 'deleting' and delete_due_at <= ${now}
     order by delete_due_at
     limit ${limit}`.execute(db)
  return rows
}

export async function delayDelete(db: Db, file: DeletingFile, due_at: string): Promise<void> {
  await sql`
    update serverside_file
       set delete_due_at = ${due_at}, delete_attempts = delete_attempts + 1
     where store_id = ${file.store_id} and id = ${file.id}`.execute(db)
}

/** Adds the downloads since the last flush. */
export async function addDownloads(
  db: Db,
  fetches: readonly { store_id: number; id: number; count: number; at: string }[],
): Promise<void> {
  await sql`
    update serverside_file s
       set download_count = s.download_count + f.count,
           last_downloaded_at = greatest(s.last_downloaded_at, f.at)
      from unnest(${fetches.map((item) => item.store_id)}::bigint[],
                  ${fetches.map((item) => item.id)}::bigint[],
                  ${fetches.map((item) => item.count)}::bigint[],
                  ${fetches.map((item) => item.at)}::timestamptz[]) as f(store_id, id, count, at)
     where s.store_id = f.store_id and s.id = f.id`.execute(db)
}

/** When the next file is to be removed from storage, by the machine's clock. */
export const nextDelete: Expression = sql`
  (select min(delete_due_at) from serverside_file where upload_state = 'deleting')`
