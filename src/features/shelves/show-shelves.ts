import { found } from '../../kernel/errors.ts'
import { type Page, type Pagination, pagination } from '../../kernel/page.ts'
import type { Shop } from '../../shop.ts'
import type { Kind } from './kinds.ts'
import { selectShelf, selectShelves } from './queries.ts'
import type { Shelf } from './schema.ts'

/** One category or group. */
export async function getShelf<S extends Shelf>(
  { db, store }: Shop,
  kind: Kind<S>,
  id: number,
): Promise<S> {
  return found(await selectShelf(db, store.id, kind, id), kind.name)
}

/** A page of categories or groups, by position (decision 44). */
export async function listShelves<S extends Shelf>(
  { db, store }: Shop,
  kind: Kind<S>,
  page: Page,
): Promise<{ shelves: S[]; pagination: Pagination }> {
  const { shelves, total } = await selectShelves(db, store.id, kind, page)
  return { shelves, pagination: pagination(page, total) }
}
