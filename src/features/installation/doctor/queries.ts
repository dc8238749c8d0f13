import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { allRows, allValues, execute, onlyRow } from '../../../db/rows.ts'

/** Limits the time of a check that runs next to other calls. */
export const limitStatements = (tx: Tx) => execute(tx)`set local statement_timeout = '2s'`

/** Returns true for the error of a statement that was cancelled at its timeout. */
export const isCancelled = (error: unknown): boolean =>
  (error as { code?: string }).code === '57014'

/** Returns false if the server could lose commits in a power cut. */
export async function selectFsync(db: Db): Promise<boolean> {
  const { rows } = await sql<{ fsync: string }>`select current_setting('fsync') as fsync`.execute(
    db,
  )
  return rows[0]?.fsync === 'on'
}

/** Counts the records by which an operator recognizes a database. */
export const selectCounts = (db: Db) =>
  onlyRow<{ stores: number; orders: number; newest: string | null }>(db)`
    select (select count(*) from store where livemode) as stores,
           (select count(*) from "order") as orders,
           (select iso(max(created_at)) from "order") as newest`

/** A file that a record refers to, with its size if the record has it. */
export interface UsedFile {
  store_id: number
  id: string
  size_bytes: number | null
}

/** Returns a page of files in the order of the primary key. */
export const selectUsedFiles = (db: Db, after: UsedFile | undefined, limit: number) =>
  allRows<UsedFile>(db)`
    with page as materialized (
      select store_id, id
        from blob
       where uses > 0 and (store_id, id) > (${after?.store_id ?? 0}, ${after?.id ?? ''})
       order by store_id, id
       limit ${limit}
    )
    select p.store_id, p.id, max(f.size_bytes) as size_bytes
      from page p
      left join (select store_id, blob_id, size_bytes from product_file
                  union all
                 select store_id, blob_id, size_bytes from return_photo
                  union all
                 select store_id, blob_id, size_bytes from serverside_file
                  union all
                 select store_id, blob_id, size_bytes from serverside_file_version) f
        on f.store_id = p.store_id and f.blob_id = p.id
     group by p.store_id, p.id
     order by p.store_id, p.id`

/** Returns the ids of those files that a record still refers to. */
export const selectUsedIds = (db: Db, files: readonly UsedFile[]) =>
  allValues<string>(db)`
    select b.id
      from blob b
      join unnest(${files.map((item) => item.store_id)}::bigint[],
                  ${files.map((item) => item.id)}::text[]) as f(store_id, id)
        on b.store_id = f.store_id and b.id = f.id
     where b.uses > 0
     order by b.id`
