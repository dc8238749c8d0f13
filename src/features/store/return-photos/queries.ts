import type { Db, Tx } from '../../../db/database.ts'
import { allValues } from '../../../db/rows.ts'

export interface StoredPhoto {
  id: number
  blob_id: string
  extension: string
  created_at: string
}

const COLUMNS = ['id', 'blob_id', 'extension', 'created_at'] as const

/** Returns the photos of a return, the oldest first. */
export const selectPhotos = (db: Db, storeId: number, returnId: number): Promise<StoredPhoto[]> =>
  db
    .selectFrom('return_photo')
    .select(COLUMNS)
    .where('store_id', '=', storeId)
    .where('return_id', '=', returnId)
    .orderBy('id')
    .execute()

export const insertPhoto = (
  tx: Tx,
  storeId: number,
  row: Omit<StoredPhoto, 'id'> & { return_id: number; size_bytes: number },
): Promise<StoredPhoto> =>
  tx
    .insertInto('return_photo')
    .values({ ...row, store_id: storeId })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

/** Deletes a photo, and returns the id of its file; undefined if the return has no such photo. */
export async function deletePhoto(
  tx: Tx,
  storeId: number,
  returnId: number,
  id: number,
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('return_photo')
    .where('store_id', '=', storeId)
    .where('return_id', '=', returnId)
    .where('id', '=', id)
    .returning('blob_id')
    .executeTakeFirst()
  return row?.blob_id
}

/** Deletes all photos of these returns, and returns the ids of their files. */
export const deletePhotosOf = (tx: Tx, storeId: number, returnIds: readonly number[]) =>
  allValues<string>(tx)`
    delete from return_photo
     where store_id = ${storeId} and return_id = any(${returnIds}::bigint[])
    returning blob_id`
