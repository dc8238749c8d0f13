import { sql, type Updateable } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { insertRecord, updateRecord } from '../../../db/records.ts'
import { allRows, allValues, execute, firstRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import { type AppTable, addUses, lockRecord, type Uses } from '../app-records/index.ts'
import { type FileVersion, FORMER_CONTENTS_MAX, type ServersideFile } from './schema.ts'

export type FileRow = ServersideFile & { blob_id: string }

/** Only `lockAnyFile` finds files that are being deleted. */
export const FILES: AppTable<FileRow> = {
  name: 'serverside_file',
  columns: sql`
    id, 'serverside_file' as object, app_id, name, filename, content_type, status, access, min_level,
    upload_state, size_bytes, sha256, storage, version, download_count, last_downloaded_at,
    created_at, updated_at, blob_id`,
  visible: sql`upload_state <> 'deleting'`,
}

/** Locks a file, even if it is being deleted. */
export const lockAnyFile = (tx: Tx, storeId: number, id: number): Promise<FileRow | undefined> =>
  lockRecord(tx, storeId, { name: FILES.name, columns: FILES.columns }, id)

type NewFileRow = Omit<FileRow, 'id' | 'object' | 'download_count' | 'last_downloaded_at'>

export const insertFile = (tx: Tx, storeId: number, row: NewFileRow) =>
  insertRecord(tx, 'serverside_file', { ...row, store_id: storeId })

export const updateFile = (
  tx: Tx,
  storeId: number,
  id: number,
  columns: Updateable<Tables['serverside_file']>,
): Promise<boolean> => updateRecord(tx, 'serverside_file', { storeId, id }, columns)

/** Returns the blobs of the content and of the former contents. */
export const selectBlobIds = (db: Db, storeId: number, id: number) =>
  allValues<string>(db)`
    select blob_id from serverside_file where store_id = ${storeId} and id = ${id}
     union
    select blob_id from serverside_file_version
     where store_id = ${storeId} and file_id = ${id}`

/**
 * Deletes a file with its former contents. Returns the blob of its content, as an array that is empty if the row
 * was deleted already.
 * A trigger counts the uses by former contents.
 */
export const deleteFile = (tx: Tx, storeId: number, id: number) =>
  allValues<string>(tx)`
    delete from serverside_file
     where store_id = ${storeId} and id = ${id} and upload_state = 'deleting'
    returning blob_id`

interface PendingDeletion {
  store_id: number
  id: number
  delete_attempts: number
}

/** Returns files whose bytes could not be deleted yet, and whose next attempt is due. */
export const selectDueDeletions = (db: Db, now: string, limit: number) =>
  allRows<PendingDeletion>(db)`
    select store_id, id, delete_attempts
      from serverside_file
     where upload_state = 'deleting' and delete_due_at <= ${now}
     order by delete_due_at
     limit ${limit}`

export const postponeDeletion = (db: Db, file: PendingDeletion, due_at: string) =>
  execute(db)`
    update serverside_file
       set delete_due_at = ${due_at}, delete_attempts = delete_attempts + 1
     where store_id = ${file.store_id} and id = ${file.id}`

/** Adds the downloads since the last flush. */
export const addDownloads = (db: Db, uses: readonly Uses[]): Promise<void> =>
  addUses(db, 'serverside_file', { count: 'download_count', last: 'last_downloaded_at' }, uses)

/** The moment of the next removal from storage, by the machine's clock. */
export const nextDeletion: Expression = sql`
  (select min(delete_due_at) from serverside_file where upload_state = 'deleting')`

/** The columns of a content. A replacement changes them, and a roll-back restores them. */
export type ContentColumns = Pick<
  FileRow,
  'filename' | 'content_type' | 'size_bytes' | 'sha256' | 'storage' | 'blob_id'
>

type VersionRow = ContentColumns &
  Pick<FileVersion, 'version' | 'replaced_at' | 'actor_key_id' | 'actor_name'>

const VERSION_COLUMNS = sql`
  version, filename, content_type, size_bytes, sha256, storage, blob_id, replaced_at, actor_key_id,
  actor_name`

/**
 * Copies the current content of a file to its former contents. The count of uses of its blob stays the same,
 * because the caller replaces the current content.
 */
export const insertVersion = (
  tx: Tx,
  storeId: number,
  id: number,
  replacement: { replaced_at: string; actor_key_id: number | null; actor_name: string | null },
) =>
  execute(tx)`
    insert into serverside_file_version (store_id, file_id, version, filename, content_type, size_bytes,
                                         sha256, storage, blob_id, replaced_at, actor_key_id,
                                         actor_name)
    select store_id, id, version, filename, content_type, size_bytes, sha256, storage, blob_id,
           ${replacement.replaced_at}, ${replacement.actor_key_id}, ${replacement.actor_name}
      from serverside_file
     where store_id = ${storeId} and id = ${id}`

/** Deletes the oldest former contents of a file. A trigger counts the uses of their blobs. */
export const deleteOldVersions = (tx: Tx, storeId: number, id: number) =>
  execute(tx)`
    delete from serverside_file_version
     where store_id = ${storeId} and file_id = ${id}
       and version in (select version
                         from serverside_file_version
                        where store_id = ${storeId} and file_id = ${id}
                        order by version desc
                       offset ${FORMER_CONTENTS_MAX})`

/** Returns the former contents of a file, newest first. */
export const selectVersions = (db: Db, storeId: number, id: number) =>
  allRows<VersionRow>(db)`
    select ${VERSION_COLUMNS} from serverside_file_version
     where store_id = ${storeId} and file_id = ${id}
     order by version desc`

export const selectVersion = (db: Db, storeId: number, id: number, version: number) =>
  firstRow<VersionRow>(db)`
    select ${VERSION_COLUMNS} from serverside_file_version
     where store_id = ${storeId} and file_id = ${id} and version = ${version}`
