import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { allRows, allValues, execute, onlyValue } from '../../../db/rows.ts'

/** Inserts a blob without uses. If no record uses it within a day of the machine's clock, it is deleted. */
export const insertBlob = (db: Db, storeId: number, id: string) =>
  execute(db)`
    insert into blob (store_id, id, remove_at)
    values (${storeId}, ${id}, clock_timestamp() + interval '1 day')`

/**
 * Locks blobs in the order of their ids. Several records can use the same blobs, so a change of several blobs locks
 * them first (decision 400). The lock of one blob needs no sequence.
 */
async function lockBlobs(tx: Tx, storeId: number, ids: readonly string[]): Promise<void> {
  if (ids.length < 2) return
  await sql`
    select from blob
     where store_id = ${storeId} and id = any(${ids}::text[])
     order by id
       for update`.execute(tx)
}

/**
 * Counts one more use of each blob that is not being removed, and returns the ids of these blobs. A free blob whose
 * removal is due within an hour counts as being removed.
 */
export async function addBlobUses(
  tx: Tx,
  storeId: number,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  await lockBlobs(tx, storeId, ids)
  return allValues<string>(tx)`
    update blob
       set uses = uses + 1, remove_at = null
     where store_id = ${storeId} and id = any(${ids}::text[])
       and (uses > 0 or remove_at > clock_timestamp() + interval '1 hour')
    returning id`
}

/** Counts the use of a blob that was just stored, in the transaction of the record that refers to it. */
export async function addBlobUse(tx: Tx, storeId: number, id: string): Promise<void> {
  const [usedId] = await addBlobUses(tx, storeId, [id])
  if (usedId === undefined) throw new Error('The file was removed before its record was created.')
}

/**
 * Subtracts one use of a blob for each time that its id is in the list, in the transaction that removes the
 * records. A blob without uses is free.
 */
export async function releaseBlobs(tx: Tx, storeId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await lockBlobs(tx, storeId, ids)
  await sql`
    update blob b
       set uses = b.uses - d.uses,
           remove_at = case when b.uses = d.uses then clock_timestamp() end
      from (select id, count(*)::integer as uses from unnest(${ids}::text[]) as id group by id) d
     where b.store_id = ${storeId} and b.id = d.id`.execute(tx)
}

/** Frees all files of a store, in the transaction that removes all records that refer to them. */
export const releaseAllBlobs = (tx: Tx, storeId: number) =>
  execute(tx)`
    update blob
       set uses = 0, remove_at = clock_timestamp()
     where store_id = ${storeId} and uses > 0`

interface BlobRow {
  store_id: number
  id: string
}

export const countUsedBlobs = (db: Db) =>
  onlyValue<number>(db)`select count(*)::integer from blob where uses > 0`

/** Returns a page of the files that records use, in the order of the primary key. */
export const selectUsedBlobs = (db: Db, after: BlobRow | undefined, limit: number) =>
  allRows<BlobRow>(db)`
    select store_id, id
      from blob
     where uses > 0 and (store_id, id) > (${after?.store_id ?? 0}, ${after?.id ?? ''})
     order by store_id, id
     limit ${limit}`

/** Returns the ids of those files whose row was not deleted. */
export const selectBlobIds = (db: Db, ids: readonly string[]) =>
  allValues<string>(db)`select id from blob where id = any(${ids}::text[])`

/** Returns blobs that no record uses and whose grace period is over. */
export const selectUnusedBlobs = (db: Db, limit: number) =>
  allRows<BlobRow>(db)`
    select store_id, id
      from blob
     where uses = 0 and remove_at <= clock_timestamp()
     order by remove_at
     limit ${limit}`

/** The time at which the next file may be removed from storage. */
export const nextRemoval: Expression = sql`(select min(remove_at) from blob where uses = 0)`

export const deleteBlobs = (db: Db, blobs: readonly BlobRow[]) =>
  execute(db)`
    delete from blob b
     using unnest(${blobs.map((item) => item.store_id)}::bigint[],
                  ${blobs.map((item) => item.id)}::text[]) as f(store_id, id)
     where b.store_id = f.store_id and b.id = f.id and b.uses = 0`

/** Postpones by a minute the removal of blobs that storage did not remove. */
export const postponeRemoval = (db: Db, blobs: readonly BlobRow[]) =>
  execute(db)`
    update blob b
       set remove_at = clock_timestamp() + interval '1 minute'
      from unnest(${blobs.map((item) => item.store_id)}::bigint[],
                  ${blobs.map((item) => item.id)}::text[]) as f(store_id, id)
     where b.store_id = f.store_id and b.id = f.id and b.uses = 0`
