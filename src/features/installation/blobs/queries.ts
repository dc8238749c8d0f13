import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'

/** By the machine's time, like the disk that it lies on. */
export async function insertBlob(db: Db, storeId: number, id: string): Promise<void> {
  await sql`
    insert into blob (store_id, id, remove_at)
    values (${storeId}, ${id}, clock_timestamp() + interval '1 day')`.execute(db)
}

/** Counts one more use of each blob that is not being removed, and returns the ids of these blobs. */
export async function useBlobs(tx: Tx, storeId: number, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    update blob
       set uses = uses + 1, remove_at = null
     where store_id = ${storeId} and id = any(${ids}::text[])
       and (uses > 0 or remove_at > clock_timestamp() + interval '1 hour')
    returning id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Counts the use of a blob that was just kept, in the transaction of the record that shows it. */
export async function useBlob(tx: Tx, storeId: number, id: string): Promise<void> {
  const [used] = await useBlobs(tx, storeId, [id])
  if (used === undefined) throw new Error('The file was removed before its record was made.')
}

/** Counts a use less of each, in the transaction that removes its record. The last one frees it. */
export async function dropBlobs(tx: Tx, storeId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update blob
       set uses = uses - 1,
           remove_at = case when uses = 1 then clock_timestamp() end
     where store_id = ${storeId} and id = any(${ids}::text[])`.execute(tx)
}

/** Frees all files of a store, in the transaction that removes all records that show them. */
export async function freeBlobs(tx: Tx, storeId: number): Promise<void> {
  await sql`
    update blob
       set uses = 0, remove_at = clock_timestamp()
     where store_id = ${storeId} and uses > 0`.execute(tx)
}

export interface FreeBlob {
  store_id: number
  id: string
}

/** Blobs without a record whose grace period is over. */
export async function selectFreeBlobs(db: Db, limit: number): Promise<FreeBlob[]> {
  const { rows } = await sql<FreeBlob>`
    select store_id, id
      from blob
     where uses = 0 and remove_at <= clock_timestamp()
     order by remove_at
     limit ${limit}`.execute(db)
  return rows
}

/** When the next file may be removed from storage. */
export const nextRemoval: Expression = sql`(select min(remove_at) from blob where uses = 0)`

export async function deleteBlobs(db: Db, blobs: readonly FreeBlob[]): Promise<void> {
  await sql`
    delete from blob b
     using unnest(${blobs.map((item) => item.store_id)}::bigint[],
                  ${blobs.map((item) => item.id)}::text[]) as f(store_id, id)
     where b.store_id = f.store_id and b.id = f.id and b.uses = 0`.execute(db)
}

/** Lets blobs that could not be removed wait for a minute. */
export async function delayBlobs(db: Db, blobs: readonly FreeBlob[]): Promise<void> {
  await sql`
    update blob b
       set remove_at = clock_timestamp() + interval '1 minute'
      from unnest(${blobs.map((item) => item.store_id)}::bigint[],
                  ${blobs.map((item) => item.id)}::text[]) as f(store_id, id)
     where b.store_id = f.store_id and b.id = f.id and b.uses = 0`.execute(db)
}
