import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'

/** Limits a check that runs next to other calls. */
export async function limitStatements(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = '2s'`.execute(tx)
}

/** True for a statement that was given up at its timeout. */
export const isCancelled = (error: unknown): boolean =>
  (error as { code?: string }).code === '57014'

/** Returns false if the server could lose commits in a power cut. */
export async function selectFsync(db: Db): Promise<boolean> {
  const { rows } = await sql<{ fsync: string }>`select current_setting('fsync') as fsync`.execute(
    db,
  )
  return rows[0]?.fsync === 'on'
}

/** The number of records, which tells one database from another. */
export async function selectCounts(
  db: Db,
): Promise<{ stores: number; orders: number; newest: string | null }> {
  const { rows } = await sql<{ stores: number; orders: number; newest: string | null }>`
    select (select count(*) from store where livemode) as stores,
           (select count(*) from "order") as orders,
           (select iso(max(created_at)) from "order") as newest`.execute(db)
  return rows[0] ?? { stores: 0, orders: 0, newest: null }
}

/** A file that a record refers to, with its size if the record has it. */
export interface KeptFile {
  store_id: number
  id: string
  size_bytes: number | null
}

/** A page of them, in the order of the primary key. */
export async function selectKeptFiles(
  db: Db,
  after: KeptFile | undefined,
  limit: number,
): Promise<KeptFile[]> {
  const { rows } = await sql<KeptFile>`
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
                 select store_id, blob_id, size_bytes from serverside_file) f
        on f.store_id = p.store_id and f.blob_id = p.id
     group by p.store_id, p.id
     order by p.store_id, p.id`.execute(db)
  return rows
}

/** Those of these files that a record shows still. */
export async function selectStillKept(db: Db, files: readonly KeptFile[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select b.id
      from blob b
      join unnest(${files.map((item) => item.store_id)}::bigint[],
                  ${files.map((item) => item.id)}::text[]) as f(store_id, id)
        on b.store_id = f.store_id and b.id = f.id
     where b.uses > 0
     order by b.id`.execute(db)
  return rows.map((row) => row.id)
}
