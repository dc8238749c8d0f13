import type { Db, Tx } from '../../../db/database.ts'
import type { NewSavedReply, SavedReply, SavedReplyPatch } from './schema.ts'

const COLUMNS = ['id', 'name', 'body', 'created_at', 'updated_at'] as const

/** Returns the saved replies of a store by name. */
export const selectReplies = (db: Db, storeId: number): Promise<SavedReply[]> =>
  db
    .selectFrom('saved_reply')
    .select(COLUMNS)
    .where('store_id', '=', storeId)
    .orderBy('name')
    .execute()

export const insertReply = (
  tx: Tx,
  storeId: number,
  reply: NewSavedReply,
  now: string,
): Promise<SavedReply> =>
  tx
    .insertInto('saved_reply')
    .values({ store_id: storeId, ...reply, created_at: now, updated_at: now })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

export const lockReply = (tx: Tx, storeId: number, id: number): Promise<SavedReply | undefined> =>
  tx
    .selectFrom('saved_reply')
    .select(COLUMNS)
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const updateReply = (
  tx: Tx,
  storeId: number,
  id: number,
  columns: SavedReplyPatch & { updated_at: string },
): Promise<SavedReply> =>
  tx
    .updateTable('saved_reply')
    .set(columns)
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
