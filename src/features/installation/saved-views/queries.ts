import type { Db, Tx } from '../../../db/database.ts'
import type { NewSavedView, SavedView, SavedViewPatch } from './schema.ts'

const COLUMNS = ['id', 'page', 'name', 'query', 'created_at', 'updated_at'] as const

/** The user and the store that views belong to. */
export interface Owner {
  store_id: number
  user_id: number
}

export function selectViews(
  db: Db,
  { store_id, user_id }: Owner,
  page: string | undefined,
): Promise<SavedView[]> {
  let statement = db
    .selectFrom('saved_view')
    .select(COLUMNS)
    .where('store_id', '=', store_id)
    .where('user_id', '=', user_id)
  if (page !== undefined) statement = statement.where('page', '=', page)
  return statement.orderBy('id').execute()
}

export const insertView = (
  tx: Tx,
  owner: Owner,
  view: NewSavedView,
  now: string,
): Promise<SavedView> =>
  tx
    .insertInto('saved_view')
    .values({ ...owner, ...view, created_at: now, updated_at: now })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

export const lockView = (tx: Tx, owner: Owner, id: number): Promise<SavedView | undefined> =>
  tx
    .selectFrom('saved_view')
    .select(COLUMNS)
    .where('store_id', '=', owner.store_id)
    .where('user_id', '=', owner.user_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Changes a view. The caller has locked it for its owner. */
export const updateView = (
  tx: Tx,
  storeId: number,
  id: number,
  fields: SavedViewPatch & { updated_at: string },
): Promise<SavedView> =>
  tx
    .updateTable('saved_view')
    .set(fields)
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

/** Returns false if the user has no such view. */
export async function deleteView(tx: Tx, owner: Owner, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('saved_view')
    .where('store_id', '=', owner.store_id)
    .where('user_id', '=', owner.user_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
